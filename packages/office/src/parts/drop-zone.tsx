/** A place where a person drops a file, or chooses one. */
import { useId, useState } from 'preact/hooks';

interface DropZoneProps {
  /** What is dropped there, such as `a statement of a bank`. */
  what: string;
  take: (file: { name: string; text: string }) => void;
}

export function DropZone({ what, take }: DropZoneProps) {
  const id = useId();
  const [isOver, setIsOver] = useState(false);
  const read = async (files: FileList | null | undefined) => {
    const file = files?.[0];
    if (file) take({ name: file.name, text: await textOfFile(file) });
  };
  return (
    <div
      class={isOver ? 'drop over' : 'drop'}
      onDragOver={(event) => {
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setIsOver(false);
        void read(event.dataTransfer?.files);
      }}
    >
      <label for={id}>Drop {what} here, or choose the file</label>
      <input
        id={id}
        type="file"
        onChange={({ currentTarget }) => {
          // The same file can be chosen again, after a correction.
          void read(currentTarget.files).then(() => (currentTarget.value = ''));
        }}
      />
    </div>
  );
}

/** The text of a file: UTF-8, otherwise Latin-1, in which banks write MT940. */
export async function textOfFile(file: Blob): Promise<string> {
  const bytes = await file.arrayBuffer();
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('iso-8859-1').decode(bytes);
  }
}

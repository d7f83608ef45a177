import type { ComponentChildren } from 'preact';
import { Action } from '../../../parts/src/basics';

interface DownloadProps {
  children: ComponentChildren;
  /** The name of the file, without its ending. */
  name: string;
  type: 'text/csv' | 'text/plain';
  read: () => Promise<string>;
}

/** Tells spreadsheets that a file is UTF-8. */
const BYTE_ORDER_MARK = '\uFEFF';

/** A button that reads a text and hands it to the browser as a file. */
export function Download({ children, name, type, read }: DownloadProps) {
  const save = async () => {
    const mark = type === 'text/csv' ? BYTE_ORDER_MARK : '';
    const url = URL.createObjectURL(new Blob([mark, await read()], { type }));
    const link = document.createElement('a');
    link.href = url;
    link.download = `${name.replaceAll(' ', '-')}.${type === 'text/csv' ? 'csv' : 'txt'}`;
    link.click();
    URL.revokeObjectURL(url);
  };
  return <Action run={save}>{children}</Action>;
}

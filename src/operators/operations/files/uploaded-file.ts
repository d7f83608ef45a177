/** Files that people upload, or that the service fetches. An operation never gets their bytes: the reading thread reads them. */
import type { GivenFile } from '../arguments';
import type { FileContent, FileKind, FileSettings } from './file-kinds';

/** A lazy import: commands, which read no files, start faster without threads. */
const thread = () => import('../files/reading-thread.js');

/** A file of one kind. Whoever has it can only have it read. */
export class UploadedFile<Kind extends FileKind> {
  readonly #kind: Kind;
  readonly #file: GivenFile;

  constructor(kind: Kind, file: GivenFile) {
    this.#kind = kind;
    this.#file = file;
  }

  /** As the operator wrote it, or where it was fetched. */
  get name(): string {
    return this.#file.name;
  }

  /**
   * Reads and validates the file in the reading thread, when those before it are read. Throws `InvalidArgument` with the name of the file
   * and the place of its fault, also if it takes more time or memory than a file may.
   */
  async read(...settings: FileSettings<Kind>): Promise<FileContent<Kind>> {
    const { readingThread } = await thread();
    return readingThread.read(this.#kind, this.#file, settings);
  }
}

/** Arguments that are files. */
import { InvalidArgument, isGivenFile, type Argument, type Written } from '../arguments';
import { fileSizes, type FileKind } from './file-kinds';
import { UploadedFile } from './uploaded-file';

/** A file, whose path is a word of the command. */
export function file<Kind extends FileKind>(kind: Kind, about: string): Argument<UploadedFile<Kind>> {
  return {
    repeats: false,
    place: 'file',
    isRequired: true,
    about,
    maxBytes: fileSizes[kind],
    read: (written) => uploaded(kind, written),
  };
}

/** A file, whose path is the value of an option. */
export function fileOption<Kind extends FileKind>(kind: Kind, about: string): Argument<UploadedFile<Kind> | undefined> {
  return {
    repeats: false,
    place: 'file option',
    isRequired: false,
    about,
    maxBytes: fileSizes[kind],
    read: (written) => (written === undefined ? undefined : uploaded(kind, written)),
  };
}

function uploaded<Kind extends FileKind>(kind: Kind, written: Written): UploadedFile<Kind> {
  if (!isGivenFile(written)) throw new InvalidArgument('Give a file.');
  return new UploadedFile(kind, written);
}

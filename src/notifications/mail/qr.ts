import qrcode from 'qrcode-generator';

/** Pixels of one module of the code: large enough for a camera that looks at a screen. */
const MODULE = 6;
/** The quiet zone around a code, in modules, that readers need (ISO/IEC 18004). */
const QUIET_ZONE = 4;

/** The text as a QR code: a GIF, which every mail client shows. */
export function qrPicture(text: string): Buffer {
  const code = qrcode(0, 'M');
  code.addData(text);
  code.make();
  const [, base64 = ''] = code.createDataURL(MODULE, QUIET_ZONE * MODULE).split(',');
  return Buffer.from(base64, 'base64');
}

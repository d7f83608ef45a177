import { useState } from 'preact/hooks';

interface PictureProps {
  url: string;
  width: number;
  height: number;
}

/** The picture of a product; nothing if there is none or it cannot be loaded. */
export function Picture({ url, width, height }: PictureProps) {
  const [isBroken, setIsBroken] = useState(false);
  if (url === '' || isBroken) return null;
  return <img src={url} alt="" width={width} height={height} loading="lazy" onError={() => setIsBroken(true)} />;
}

import { PNG } from 'pngjs';

const SIDE = 64;

/** The picture of the campaign: of a size that providers take, with a colour per row. */
export const PICTURE = PNG.sync.write(stripes());

function stripes(): PNG {
  const png = new PNG({ width: SIDE, height: SIDE });
  for (let index = 0; index < SIDE * SIDE; index++) {
    const row = Math.floor(index / SIDE);
    png.data.set([row * 4, 255 - row * 4, 128, 255], index * 4);
  }
  return png;
}

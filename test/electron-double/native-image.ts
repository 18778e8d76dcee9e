import type * as Electron from 'electron';
import { existsSync, readFileSync } from 'node:fs';
import { strict } from './strict.ts';

const MEMBERS = [
  'addRepresentation',
  'isEmpty',
  'setTemplateImage',
] as const satisfies readonly (keyof Electron.NativeImage)[];

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** A PNG, and others of it for larger scale factors. */
class DoubleImage implements Pick<Electron.NativeImage, (typeof MEMBERS)[number]> {
  #size: Electron.Size | undefined;

  addRepresentation({ scaleFactor = 1, dataURL }: Electron.AddRepresentationOptions): void {
    const [, base64] = /^data:image\/png;base64,(.*)$/s.exec(dataURL ?? '') ?? [];
    if (base64 === undefined) throw new Error('electron double: a representation is a data URL of a PNG');
    this.add(scaleFactor, Buffer.from(base64, 'base64'));
  }

  /** What is no PNG is left out, as in Electron. */
  add(scaleFactor: number, data: Buffer): void {
    if (!data.subarray(0, 8).equals(PNG)) return;
    const size = { width: data.readUInt32BE(16) / scaleFactor, height: data.readUInt32BE(20) / scaleFactor };
    this.#size ??= size;
    if (size.width !== this.#size.width || size.height !== this.#size.height) {
      throw new Error(`electron double: the image for ${scaleFactor}x is not ${scaleFactor} times as large`);
    }
  }

  isEmpty(): boolean {
    return this.#size === undefined;
  }

  setTemplateImage(): void {}
}

const MODULE = ['createFromPath'] as const satisfies readonly (keyof typeof Electron.nativeImage)[];

export const nativeImage = strict(
  'nativeImage',
  {
    createFromPath(path: string) {
      const image = new DoubleImage();
      if (existsSync(path)) image.add(1, readFileSync(path));
      return strict('NativeImage', image, MEMBERS);
    },
  },
  MODULE,
);

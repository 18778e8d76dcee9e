import type * as Electron from 'electron';
import { existsSync, readFileSync } from 'node:fs';
import { strict } from './strict.ts';

const MEMBERS = [
  'addRepresentation',
  'getScaleFactors',
  'getSize',
  'isEmpty',
  'setTemplateImage',
] as const satisfies readonly (keyof Electron.NativeImage)[];

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** PNGs by scale factor; one has to be twice as large at 2. */
class DoubleImage implements Pick<Electron.NativeImage, (typeof MEMBERS)[number]> {
  readonly #sizes = new Map<number, Electron.Size>();

  addRepresentation({ scaleFactor = 1, dataURL }: Electron.AddRepresentationOptions): void {
    const [, base64] = /^data:image\/png;base64,(.*)$/s.exec(dataURL ?? '') ?? [];
    if (base64 === undefined) throw new Error('electron double: a representation is a data URL of a PNG');
    this.add(scaleFactor, Buffer.from(base64, 'base64'));
  }

  /** What is no PNG makes an empty image, as in Electron. */
  add(scaleFactor: number, data: Buffer): void {
    if (!data.subarray(0, 8).equals(PNG)) return;
    const size = { width: data.readUInt32BE(16) / scaleFactor, height: data.readUInt32BE(20) / scaleFactor };
    const first = [...this.#sizes.values()][0] ?? size;
    if (first.width !== size.width || first.height !== size.height) {
      throw new Error(`electron double: at ${scaleFactor}00 % the image has another size`);
    }
    this.#sizes.set(scaleFactor, size);
  }

  isEmpty(): boolean {
    return this.#sizes.size === 0;
  }

  getSize(): Electron.Size {
    return [...this.#sizes.values()][0] ?? { width: 0, height: 0 };
  }

  getScaleFactors(): number[] {
    return [...this.#sizes.keys()];
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

// node --import ./test/electron-double/register.mjs out/main/index.js: `electron` is the double, for import and require.
import { registerHooks } from 'node:module';

const url = new URL('./electron.ts', import.meta.url).href;
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'electron' || specifier.startsWith('electron/')
      ? { url, shortCircuit: true }
      : next(specifier, context),
});

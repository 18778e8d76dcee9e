import { decode, encode } from './wire.ts';
import { hostPreload } from './preload-host.ts';
import { linkWorlds, receiveApis } from './worlds.ts';

/** The world of the preloads; pages cannot see into it. */
export const PRELOAD_WORLD = 'electron-preload';
/** In that world: the function that sends to the main process. */
export const BINDING = 'electronDoubleSend';
/** In that world: what takes messages of the main process. */
export const HOST = 'electronDoubleHost';

/** What runs in the page's own world, before the page's scripts. */
export function pageScript(channel: string): string {
  return `(() => {
    ${String(linkWorlds)}
    (${String(receiveApis)})(linkWorlds(${JSON.stringify(channel)}, 'page'));
  })();`;
}

/** What runs in the preloads' world, of the main frame only: a preload, between the main process and the page. */
export function preloadScript(channel: string, preload: string, file: string): string {
  return `(() => {
    if (window !== window.top) return;
    ${String(encode)}
    ${String(decode)}
    ${String(linkWorlds)}
    const host = (${String(hostPreload)})({
      link: linkWorlds(${JSON.stringify(channel)}, 'preload'),
      send: ${BINDING},
      platform: ${JSON.stringify(process.platform)},
      encode,
      decode,
    });
    globalThis.${HOST} = host;
    host.run(function (require, module, process) { const exports = module.exports;
${preload}
    });
  })();
  //# sourceURL=${file}`;
}

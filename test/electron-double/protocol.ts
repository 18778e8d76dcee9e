import type * as Electron from 'electron';
import { app } from './app.ts';
import { addScheme } from './origins.ts';
import { refuseUnknown, strict } from './strict.ts';

type Handler = (request: Request) => Response | Promise<Response>;

const MEMBERS = ['handle', 'registerSchemesAsPrivileged'] as const satisfies readonly (keyof Electron.Protocol)[];

/** Custom schemes: declared before ready, answered by the app's own handler after it. */
class DoubleProtocol implements Pick<Electron.Protocol, (typeof MEMBERS)[number]> {
  #declared: ReadonlySet<string> | undefined;
  readonly #handlers = new Map<string, Handler>();

  registerSchemesAsPrivileged(schemes: Electron.CustomScheme[]): void {
    if (app.isReady()) throw new Error('protocol.registerSchemesAsPrivileged should be called before app is ready');
    if (this.#declared) throw new Error('electron double: registerSchemesAsPrivileged can be called only once');
    for (const { scheme, privileges = {} } of schemes) {
      refuseUnknown(`the privileges of ${scheme}`, privileges, ['standard', 'secure', 'supportFetchAPI']);
      if (!privileges.standard || !privileges.secure) {
        throw new Error('electron double: only standard and secure schemes are implemented');
      }
      addScheme(scheme);
    }
    this.#declared = new Set(schemes.map(({ scheme }) => scheme));
  }

  handle(scheme: string, handler: Handler): void {
    if (!app.isReady()) throw new Error('Session can only be received when app is ready');
    if (!this.#declared?.has(scheme)) throw new Error(`electron double: the scheme ${scheme} was not declared`);
    if (this.#handlers.has(scheme)) throw new Error(`Failed to register protocol: ${scheme}`);
    this.#handlers.set(scheme, handler);
  }

  async respond(request: Request): Promise<Response | undefined> {
    const handler = this.#handlers.get(new URL(request.url).protocol.slice(0, -1));
    if (!handler) return undefined;
    const response = await handler(request);
    if (!(response instanceof Response)) throw new TypeError('electron double: a protocol handler answers a Response');
    return response;
  }
}

const implementation = new DoubleProtocol();

export const protocol = strict('protocol', implementation, MEMBERS);

/** What the app answers to a request of a page; undefined when nobody handles its scheme. */
export function respond(request: Request): Promise<Response | undefined> {
  return implementation.respond(request);
}

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startApp, type RunningApp } from '../../main/app.ts';
import { workerAccount } from '../../main/worker/account.ts';
import type { Part } from '../../relay/contract/a2a.ts';
import { EXTENSION_URI } from '../../relay/contract/handoff.ts';
import type { Json, JsonObject } from '../../relay/contract/json.ts';
import { A2aClient, message } from './a2a-client.ts';
import { befriend } from './contacts.ts';
import { hostilePieces, SENDABLE_STRINGS } from './hostile-corpus.ts';
import { hostileParts } from './hostile-parts.ts';
import { appOptions } from './running-app.ts';

/** A message has at most so many parts, and a call so many artifacts. */
const PARTS = 100;
const ARTIFACTS = 64;

/** Frank's app, and peers on its relay that have written every hostile string into every field that is theirs to fill. */
export interface HostileWorld {
  readonly home: string;
  readonly app: RunningApp;
  readonly frank: A2aClient;
  /** A contact of frank's. */
  readonly mallory: A2aClient;
  /** Threads that hold all of the corpus. */
  readonly threads: readonly string[];
  /** Handoffs of mallory's to frank, each with one string for its subject. */
  readonly received: readonly string[];
  /** A new one. */
  send(text: string): Promise<string>;
  close(): Promise<void>;
}

/** Starts it; the caller closes it. */
export async function hostileWorld(): Promise<HostileWorld> {
  const home = await mkdtemp(join(tmpdir(), 'agentrelay-test-'));
  const started = await startApp(appOptions(home, { logLevel: 'debug' }));
  if (started.kind !== 'started') throw new Error('another one runs');
  const { app } = started;
  const { apiKey } = await workerAccount({ home, as: undefined, relayUrl: app.relayUrl, key: undefined });
  const frank = new A2aClient({ url: app.relayUrl, apiKey, handle: 'frank@acme' });
  const agents = await registerPeers(app);
  const [mallory] = agents;
  if (mallory === undefined) throw new Error('no peer');
  await befriend(frank, mallory);

  let count = 0;
  const send = async (to: string, parts: readonly Part[], from = mallory, more: JsonObject = {}): Promise<string> => {
    const params = {
      ...message(`m${++count}`, { parts: asJson(parts), ...more }),
      configuration: { returnImmediately: true },
    };
    const answer = await from.call('SendMessage', params, { at: `/a/${to}` });
    if (!('task' in answer)) throw new Error('a message, where a task was expected');
    return answer.task.id;
  };
  const update = (task_id: string, params: JsonObject): Promise<JsonObject> =>
    mallory.extension('tasks/update', { task_id, ...params });

  const received = await Promise.all(SENDABLE_STRINGS.map((text) => send('frank', [{ text }])));
  const threads = await Promise.all([
    ...partPages().map((parts) => send('frank', parts)),
    send('frank', [{ text: 'a proposal' }], mallory, { metadata: { [EXTENSION_URI]: proposal() } }),
    ...hostilePieces(4096, '\n').map(async (reason) => {
      const id = await send('mallory', [{ text: 'declined' }], frank);
      await update(id, { transition: 'decline', reason });
      return id;
    }),
    ...pages(SENDABLE_STRINGS, ARTIFACTS).map(async (names) => {
      const id = await send('mallory', [{ text: 'completed' }], frank);
      await update(id, { transition: 'accept', session_id: names[0] ?? '' });
      const artifacts = names.map((name, at) => ({
        artifactId: `${at}`,
        name,
        description: name,
        parts: [{ data: name }],
      }));
      await update(id, { transition: 'complete', message: names.join('\n'), artifacts });
      return id;
    }),
  ]);
  return {
    home,
    app,
    frank,
    mallory,
    threads,
    received,
    send: (text) => send('frank', [{ text }]),
    async close() {
      await app.close();
      await rm(home, { recursive: true, force: true });
    },
  };
}

/** Agents that say of themselves all of the corpus. All but the first only asked to be contacts, with a note. */
async function registerPeers(app: RunningApp): Promise<readonly A2aClient[]> {
  const [names, roles, skills, repos, texts] = [128, 64, 64, 256, 1024].map((most) => hostilePieces(most));
  const notes = hostilePieces(200);
  const agents = await Promise.all(
    (roles ?? []).map(async (role, at) => {
      const { handle, api_key: apiKey } = await app.desk.call(
        'registerAgent',
        {
          handle: at === 0 ? 'mallory' : `mallory-${at}`,
          name: names?.[at] ?? `Mallory ${at}`,
          description: texts?.[at] ?? 'hostile',
          role,
          skills: skills?.slice(at * 4, at * 4 + 4) ?? [],
          repos: repos?.slice(at * 2, at * 2 + 2) ?? [],
          contacts: 'auto',
        },
        'human',
      );
      return new A2aClient({ url: app.relayUrl, apiKey, handle });
    }),
  );
  const strangers = agents.slice(1);
  if (strangers.length < notes.length) throw new Error('more notes than strangers');
  await Promise.all(
    strangers.map(async (stranger, at) => {
      const text = notes[at];
      if (text === undefined) return;
      await app.desk.call('decideContact', { handle: stranger.handle, decision: 'remove' }, 'human');
      await stranger.rpc('SendMessage', message('note', { parts: [{ text }] }), { at: '/a/frank' });
    }),
  );
  return agents;
}

function partPages(): readonly (readonly Part[])[] {
  const kinds: readonly (readonly Part[])[] = Object.values(hostileParts(SENDABLE_STRINGS));
  return kinds.flatMap((parts) => pages(parts, PARTS - 1)).map((parts) => [{ text: 'a message' }, ...parts]);
}

/** Parts are JSON, which their types do not say. */
function asJson(parts: readonly Part[]): Json {
  return JSON.parse(JSON.stringify(parts)) as Json;
}

function proposal(): JsonObject {
  const all = SENDABLE_STRINGS.join('\n');
  return {
    intent: 'propose_action',
    proposed_action: { description: all, target_files: [...SENDABLE_STRINGS], rationale: all, suggested_diff: all },
  };
}

function pages<T>(all: readonly T[], size: number): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, at) => all.slice(at * size, (at + 1) * size));
}

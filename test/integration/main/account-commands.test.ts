import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseInviteLink } from '../../../relay/contract/invite.ts';
import { A2aClient } from '../../support/a2a-client.ts';
import { runOn, type CommandSurroundings } from '../../support/command-line.ts';
import { runApp } from '../../support/running-app.ts';
import { tempDir } from '../../support/temp-dir.ts';

/** A person's app, and its command line. */
async function appOf(handle: string, relayName: string) {
  const home = tempDir();
  const app = await runApp(home, { handle, relayName });
  const cli = (args: readonly string[], more?: CommandSurroundings) => runOn(home, args, more);
  return {
    app,
    home,
    cli,
    async json<T>(args: readonly string[], more?: CommandSurroundings): Promise<T> {
      const { code, stdout, stderr } = await cli([...args, '--json'], more);
      expect([args[0], code, stderr]).toEqual([args[0], 0, '']);
      return JSON.parse(stdout) as T;
    },
  };
}

interface Invited {
  readonly handle: string;
  readonly link: string;
  readonly expires_at: string;
}

const inMs = ({ expires_at: at }: Invited): number => Date.parse(at) - Date.now();

describe('agentrelay invite', () => {
  it('makes a link of one use, for a handle, a role and a time', async () => {
    const frank = await appOf('frank', 'acme');
    const made = await frank.json<Invited>(['invite', 'mia', '--role', 'backend', '--expires', '2h']);
    expect(made.handle).toBe('mia@acme');
    expect(parseInviteLink(made.link).relayUrl).toBe(frank.app.relayUrl);
    expect(inMs(made) / 3_600_000).toBeCloseTo(2, 1);
    expect(inMs(await frank.json<Invited>(['invite', 'priya'])) / 3_600_000).toBeCloseTo(24, 1);
  });

  it('tells people what to do with it, and writes it down nowhere', async () => {
    const frank = await appOf('frank', 'acme');
    const { stdout } = await frank.cli(['invite', 'mia']);
    const [link = ''] = /agentrelay:\/\/join\S+/.exec(stdout) ?? [];
    const { code } = parseInviteLink(link);
    expect(stdout).toMatch(/^Whoever has this link first can join as mia@acme, until \d{4}-\d\d-\d\d \d\d:\d\d\.\n/);
    expect(stdout).toContain('They run "agentrelay join -" and paste it.');
    expect(stdout).toContain('reached from this machine alone');
    for (const file of ['logs/agentrelay.log', 'desk.db', 'desk.db-wal', 'relay.db', 'relay.db-wal', 'trust.yaml']) {
      expect([file, readFileSync(join(frank.home, file)).includes(code)]).toEqual([file, false]);
    }
    expect((await frank.cli(['audit', '--json'])).stdout).not.toContain(code);
  });

  it.each([
    [['invite'], 2, 'invite needs <handle>'],
    [['invite', 'mia', '--expires', '30s'], 2, '--expires is from 1m to 30d'],
    [['invite', 'mia', '--expires', 'soon'], 2, 'not "soon"'],
    [['invite', 'm\u0456a'], 1, 'A handle is name or name@relay'],
    [['invite', 'frank'], 1, 'frank'],
    [['invite', 'mia@elsewhere'], 1, 'is not on the relay acme'],
    [['rotate-key', '--overlap', '2d'], 2, '--overlap is from 0 to 1d'],
    [['join'], 2, 'join needs <link>'],
    [['join', '-'], 2, 'join needs a link, and stdin is empty'],
    [['join', 'https://relay.example'], 1, 'The link is no invite.'],
    [['join', 'agentrelay://join?relay=http%3A%2F%2F127.0.0.1%3A1&id=x'], 1, 'has no code behind #'],
    [['join', 'agentrelay://join', '--alias', 'Two Words'], 1, 'A relay is called by lower-case letters'],
  ])('and its neighbours refuse %j', async (args, code, why) => {
    const { cli } = await appOf('frank', 'acme');
    const result = await cli(args);
    expect([result.code, result.stderr]).toEqual([code, expect.stringContaining(why)]);
  });
});

describe('agentrelay join', () => {
  it('takes the link from stdin, and both sides are teammates from then on', async () => {
    const [frank, mia] = [await appOf('frank', 'acme'), await appOf('mia', 'vendor')];
    const { link } = await frank.json<Invited>(['invite', 'mia']);
    expect(await mia.cli(['join', '-'], { input: `${link}\n` })).toEqual({
      code: 0,
      stdout: `You are mia@acme now, on the relay at ${frank.app.relayUrl}.\nfrank@acme, who invited you, is a teammate.\n`,
      stderr: '',
    });
    expect((await mia.cli(['trust', 'explain', 'frank@acme'])).stdout).toContain('is delivered: they are a teammate');
    await expect
      .poll(async () => (await frank.cli(['trust', 'explain', 'mia'])).stdout, { timeout: 10_000 })
      .toContain('is delivered: they are a teammate');
    const { accounts } = await mia.json<{ accounts: object[] }>(['status']);
    expect(accounts).toMatchObject([{ handle: 'mia@vendor' }, { handle: 'mia@acme', relay: frank.app.relayUrl }]);
  });

  it('says of a link that is used, or not of a relay, what it is', async () => {
    const [frank, mia] = [await appOf('frank', 'acme'), await appOf('mia', 'vendor')];
    const { link } = await frank.json<Invited>(['invite', 'priya']);
    const priya = await appOf('priya', 'home');
    expect(await priya.json(['join', link])).toEqual({
      handle: 'priya@acme',
      relay: frank.app.relayUrl,
      inviter: 'frank@acme',
    });
    const { stdout } = await mia.cli(['join', link, '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ error: { reason: 'INVITE_GONE' } });
    const elsewhere = link.replace(encodeURIComponent(frank.app.relayUrl), encodeURIComponent(priya.app.relayUrl));
    expect((await mia.cli(['join', elsewhere])).stderr).toContain('is not the relay that the invite is of');
    expect((await frank.cli(['join', link])).stderr).toContain('which has its account already');
  });
});

describe('agentrelay rotate-key', () => {
  it('gives the app another key, and to programs shows it; the old one ends when it was said', async () => {
    const frank = await appOf('frank', 'acme');
    const old = Object.values(JSON.parse(readFileSync(join(frank.home, 'secrets.json'), 'utf8')) as object);
    const { handle, api_key: key } = await frank.json<{ handle: string; api_key: string }>(['rotate-key']);
    expect(handle).toBe('frank@acme');
    expect(old).not.toContain(key);
    const ask = async (apiKey: string): Promise<number> =>
      (await new A2aClient({ url: frank.app.relayUrl, apiKey }).http('GET', '/v1/contacts')).status;
    expect(await ask(key)).toBe(200);
    const again = await frank.cli(['rotate-key', '--overlap', '0']);
    expect(again.stdout).toBe('frank@acme has a new key, and the app uses it.\nThe old one is refused from now on.\n');
    expect(await ask(key)).toBe(401);
    expect((await frank.cli(['contacts'])).code).toBe(0);
    expect((await frank.cli(['rotate-key', '--overlap', '1h'])).stdout).toMatch(/\nThe old one ends at \d{4}-/);
    expect(readFileSync(join(frank.home, 'logs/agentrelay.log'), 'utf8')).not.toContain(key);
  });
});

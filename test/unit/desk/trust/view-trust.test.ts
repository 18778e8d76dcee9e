import { describe, expect, it } from 'vitest';
import { NEW_TRUST } from '../../../../main/desk/trust/edit-trust.ts';
import { readTrust } from '../../../../main/desk/trust/read-trust.ts';
import { viewTrust } from '../../../../main/desk/trust/view-trust.ts';
import { trustViewSchema } from '../../../../relay/contract/trust.ts';

const view = (text: string) => viewTrust('trust.yaml', readTrust(text));

describe('trust.yaml as clients see it', () => {
  it('has what is said of each, and what comes of it', () => {
    const file =
      'version: 1\ndefaults: {auto_read: true}\nteammates:\n  mia@acme: {live: auto}\nblocked:\n  - eve@acme\n';
    expect(view(file)).toEqual({
      path: 'trust.yaml',
      usable: true,
      findings: [],
      defaults: {
        auto_read: true,
        auto_test: false,
        auto_write_paths: [],
        require_approval: ['Edit', 'Write', 'Bash'],
        live: 'ask',
      },
      unknown: { policy: 'hold', rule: { path: 'unknown_teammates.policy', line: 1 } },
      teammates: [
        {
          handle: 'mia@acme',
          rule: { path: 'teammates.mia@acme', line: 4 },
          said: { live: 'auto' },
          grants: {
            auto_read: true,
            auto_test: false,
            auto_write_paths: [],
            require_approval: ['Edit', 'Write', 'Bash'],
            live: 'auto',
          },
        },
      ],
      blocked: [{ handle: 'eve@acme', rule: { path: 'blocked[0]', line: 6 } }],
    });
  });

  it('grants nobody anything where the file is of no use, and says why', () => {
    const bad = view('version: 1\nteammates: {mia@acme: {auto_read: perhaps}}\n');
    expect(bad).toMatchObject({ usable: false, findings: [{ line: 2 }], unknown: { policy: 'hold' }, teammates: [] });
    expect(bad.defaults).toMatchObject({ auto_read: false, auto_write_paths: [] });
  });

  it.each(['', NEW_TRUST, 'version: 1', 'teammates: []', '\u0000'])('is of the form that is promised (%j)', (text) => {
    expect(trustViewSchema.parse(view(text))).toEqual(view(text));
  });
});

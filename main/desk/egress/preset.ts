import { lintSource } from '@secretlint/core';
import { rules } from '@secretlint/secretlint-rule-preset-recommend';
import type { Range } from './finding.ts';

/**
 * `filter-comments` lets a text say of itself that it is not to be looked at (`secretlint-disable`): what is looked at here
 * was written by those who are not to decide that. `github` takes half a second for a text that is made for it: its forms
 * are in rules/vendor-keys.ts. `basicauth` and `database-connection-string` take the passwords of documentation for
 * secrets: rules/connection-strings.ts does not.
 */
const LEFT_OUT = /-(?:filter-comments|github|basicauth|database-connection-string)$/;

const RULES = rules.flatMap((rule) =>
  LEFT_OUT.test(rule.meta.id) || rule.meta.type !== 'scanner' ? [] : [{ id: rule.meta.id, rule }],
);

/** What Secretlint's recommended rules find in a text. They are named without their package: `github`, `npm`, `openai`. */
export async function scanWithPreset(text: string): Promise<readonly Range[]> {
  const { messages } = await lintSource({
    // some rules go by the file's name: this one says nothing
    source: { content: text, filePath: 'text', ext: '', contentType: 'text' },
    options: { noPhysicFilePath: true, config: { rules: RULES } },
  });
  return messages.map(({ ruleId, range: [start, end] }) => ({
    rule: ruleId.replace(/^.*secretlint-rule-/, ''),
    start,
    end,
  }));
}

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { NAME_PATTERN, RELAY_NAME_PATTERN } from '../../../relay/contract/handle.ts';
import { grantsSchema, unknownPolicySchema } from '../../../relay/contract/trust.ts';
import { writePrivateFile } from '../../files.ts';

/** The name of the file, beside `trust.yaml`, whose first line leads there. */
const FILE = 'trust.schema.json';

const { shape } = grantsSchema;
const grants = z
  .strictObject({
    auto_read: shape.auto_read.meta({ description: 'The local agent reads files for them without asking.' }),
    auto_test: shape.auto_test.meta({ description: 'The local agent runs tests for them without asking.' }),
    auto_write_paths: shape.auto_write_paths.meta({
      description:
        'Where it writes for them without asking. A trailing / is a folder; * is a character like any other.',
    }),
    require_approval: shape.require_approval.meta({
      description: 'Tools that a person approves each time: Edit, Write, Bash.',
    }),
    live: shape.live.meta({ description: 'Whether a pairing that they ask for begins by itself.' }),
  })
  .partial()
  .nullable();

/** `name@relay`, in whatever letter case. A schema has no flags for that. */
const handle = z
  .string()
  .regex(
    new RegExp(
      `^${[NAME_PATTERN, RELAY_NAME_PATTERN]
        .map(({ source }) => source.replaceAll(/^\^|\$$/g, '').replaceAll('a-z', 'A-Za-z'))
        .join('@')}$`,
    ),
  );

/**
 * What `trust.yaml` may say, for editors. It takes what `readTrust` has no word to say about, as far as that can be said of
 * values: what is wrong with the text itself (a key twice, an alias, a handle in two letter cases) is the reader's to see.
 */
export const trustFileSchema = z
  .strictObject({
    version: z.literal(1).meta({ description: 'Of the form of this file.' }),
    defaults: grants
      .exactOptional()
      .meta({ description: 'What a teammate may do where nothing else is said of them.' }),
    teammates: z
      .record(handle, grants)
      .nullable()
      .exactOptional()
      .meta({ description: 'name@relay, by the name that the relay has here: what differs from the defaults.' }),
    unknown_teammates: z
      .strictObject({ policy: unknownPolicySchema })
      .partial()
      .nullable()
      .exactOptional()
      .meta({ description: 'What becomes of what somebody sends who is not listed.' }),
    blocked: z
      .array(handle)
      .nullable()
      .exactOptional()
      .meta({ description: 'Whose words are declined, whatever else is said of them.' }),
  })
  .meta({ title: 'trust.yaml of AgentRelay' });

/** The schema as a file of JSON Schema, draft 7, which is what editors read. */
export const TRUST_SCHEMA = `${JSON.stringify(z.toJSONSchema(trustFileSchema, { target: 'draft-7' }), null, 2)}\n`;

/** Writes it into a data folder, where it is another one there, or none. Fails with a StartError. */
export async function writeTrustSchema(home: string): Promise<void> {
  const path = join(home, FILE);
  const before = await readFile(path, 'utf8').catch(() => undefined);
  if (before !== TRUST_SCHEMA) await writePrivateFile(path, TRUST_SCHEMA);
}

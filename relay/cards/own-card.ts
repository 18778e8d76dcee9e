import { z } from 'zod';
import type { AgentExtension, AgentSkill } from '../contract/a2a.ts';
import { contactModeSchema } from '../contract/contact.ts';
import { EXTENSION_URI } from '../contract/handoff.ts';
import { visibleText } from '../contract/plain-text.ts';
import { hasNoCredentials } from '../contract/url.ts';
import { namedSkill } from './skills.ts';

/**
 * What an agent says of itself by `PUT /v1/agents/me/card` (docs/reference/relay-http.md, An agent's own card): a document
 * of our own, or a whole card of A2A 1.0 or 0.3, of which it takes what others are to see.
 */

/** Most skills, and most repositories. */
const MAX_ENTRIES = 64;
/** All that is kept of one, in characters of JSON: caches hold it for thousands of agents. */
const MAX_LENGTH = 32 * 1024;

/** One line that shows all there is in it. */
const line = (max: number) =>
  shown(max).refine((text) => !/[\n\t]/.test(text), { error: 'must be one line', abort: true });
/** The same, of as many lines as one likes. */
function shown(max: number) {
  return z
    .string()
    .transform((text) => text.replaceAll('\r\n', '\n').trim())
    .pipe(z.string().min(1).max(max))
    .refine((text) => visibleText(text) === text, {
      error: 'has characters that do not show: control codes, zero-width ones, or ones that turn the text around',
    });
}
/** Absent, null and empty are one. */
const optional = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => (value === null || value === '' ? undefined : value), schema.optional());

const modes = z.array(line(256)).max(32);
/** As a browser would call it, so that what one reads is where it leads. */
const httpUrl = line(2048).pipe(
  z
    .url({ protocol: /^https?$/, normalize: true, error: 'must be a URL with http or https', abort: true })
    .max(2048)
    .refine((url) => hasNoCredentials(new URL(url)), { error: 'must not hold a name or password' }),
);

const skillSchema = z
  .object({
    id: optional(line(128)),
    name: line(128),
    description: optional(shown(2000)),
    tags: optional(z.array(line(64)).max(32)),
    examples: optional(z.array(shown(1000)).max(16)),
    inputModes: optional(modes),
    outputModes: optional(modes),
  })
  .transform(({ id, name, description, tags = [], examples = [], inputModes = [], outputModes = [] }): AgentSkill => {
    const plain = namedSkill(name);
    return {
      id: id ?? name,
      name,
      description: description ?? plain.description,
      tags: tags.length === 0 ? plain.tags : tags,
      ...(examples.length === 0 ? {} : { examples }),
      ...(inputModes.length === 0 ? {} : { inputModes }),
      ...(outputModes.length === 0 ? {} : { outputModes }),
    };
  });
const skillsSchema = z
  .array(z.union([line(128), skillSchema]))
  .max(MAX_ENTRIES)
  .refine((skills) => new Set(skills.map(idOf)).size === skills.length, { error: 'must have different ids' });

/** RFC 3986, with a scheme. No comma: it would cut it in two in the header that names it. */
const ABSOLUTE_URI = /^[a-z][a-z0-9+.-]*:(?:[a-z0-9\-._~:/?#[\]@!$&'()*+;=]|%[0-9a-f]{2})+$/i;

const extensionSchema = z
  .object({
    uri: z
      .string()
      .max(512)
      .refine((uri) => ABSOLUTE_URI.test(uri) && URL.canParse(uri), {
        error: 'must be an absolute URI, in ASCII and without commas',
      }),
    description: optional(shown(1000)),
    required: optional(z.boolean()),
    params: optional(z.record(z.string(), z.json())),
  })
  .transform(({ uri, description, required = false, params }): AgentExtension => ({
    uri,
    required,
    ...(description === undefined ? {} : { description }),
    // what JSON.parse has made
    ...(params === undefined ? {} : { params: params as NonNullable<AgentExtension['params']> }),
  }));
/** Ours is in every card by itself, and required in none. */
const extensionsSchema = z
  .array(extensionSchema)
  .max(16)
  .refine((extensions) => new Set(extensions.map(({ uri }) => uri)).size === extensions.length, {
    error: 'must have different URIs',
  })
  .transform((extensions) => extensions.filter(({ uri }) => uri !== EXTENSION_URI));

/** May be left out, which leaves it as it is, and null, which takes away what was said before. */
const may = <T extends z.ZodType>(schema: T) => schema.nullable().exactOptional();

const members = {
  name: may(line(128)),
  description: may(shown(4000)),
  role: may(line(64)),
  skills: may(skillsSchema),
  repos: may(z.array(line(256)).max(MAX_ENTRIES)),
  listed: may(z.boolean()),
  iconUrl: may(httpUrl),
  documentationUrl: may(httpUrl),
  defaultInputModes: may(modes),
  defaultOutputModes: may(modes),
  extensions: may(extensionsSchema),
};

/** A document of our own: what is not known there is a slip of the pen. */
const ownSchema = z.strictObject({ ...members, contacts: may(contactModeSchema) });
/** A card, also one that a relay serves: whatever else it says is the concern of whoever reads the agent's own. */
const cardSchema = z
  .object({
    ...members,
    capabilities: may(z.object({ extensions: members.extensions })),
    metadata: may(z.object({ role: members.role, repos_owned: members.repos })),
  })
  .transform(({ capabilities, metadata, ...card }) => {
    const { role, repos_owned: repos } = metadata ?? {};
    return {
      ...(role === undefined ? {} : { role }),
      ...(repos === undefined ? {} : { repos }),
      ...capabilities,
      ...card,
    };
  });

/** What was said, checked. */
export type OwnCard = z.infer<typeof ownSchema>;

/** The form of a document, as it reads. */
export function ownCardSchema(document: object): z.ZodType<OwnCard> {
  const schema: z.ZodType<OwnCard> = isCard(document) ? cardSchema : ownSchema;
  return schema.refine((card) => JSON.stringify(card).length <= MAX_LENGTH, {
    error: `says more than ${MAX_LENGTH} characters of what others are to see. Shorten its skills and extensions`,
  });
}

/** Whether it is a card, of any generation, and not a document of our own. */
function isCard(document: object): boolean {
  return ['supportedInterfaces', 'url', 'protocolVersion', 'capabilities'].some((mark) => mark in document);
}

function idOf(skill: string | AgentSkill): string {
  return typeof skill === 'string' ? skill : skill.id;
}

/** Members of a card that nobody is shown: where the agent is reached and how, for one, is the relay's to say. */
export function ignoredMembers(card: object): readonly string[] {
  const taken = new Set([...Object.keys(members), 'capabilities', 'metadata']);
  return Object.keys(card).filter((name) => !taken.has(name));
}

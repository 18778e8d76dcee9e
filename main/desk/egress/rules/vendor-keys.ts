import { isExampleKey } from '../values.ts';
import type { Rule } from './rule.ts';

/**
 * Keys that are known by their form, where the preset has none (preset.ts). Sources: the lists that GitHub's secret
 * scanning and gitleaks publish, and the vendors' own documentation.
 */
const FORMS: Readonly<Record<string, string>> = {
  'agentrelay-key': 'ar_[\\w-]{43}',
  'agentrelay-invite': 'ai_[\\w-]{43}',
  anthropic: 'sk-ant-[a-z]{3,10}\\d{2}-[\\w-]{20,256}',
  'openai-like': 'sk-(?:proj-|svcacct-|admin-|or-v1-|None-)?[A-Za-z0-9_-]{0,20}[A-Za-z0-9]{20,256}',
  google: 'AIza[\\w-]{35}',
  'google-oauth': '(?:GOCSPX-[\\w-]{28}|ya29\\.[\\w-]{20,512}|1//0[\\w-]{40,256})',
  'aws-key-id': '(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}',
  azure: '[A-Za-z0-9_~.]{3}[78]Q~[A-Za-z0-9_~.-]{31,34}',
  pypi: 'pypi-[\\w-]{50,512}',
  rubygems: 'rubygems_[0-9a-f]{48}',
  crates: 'cio[A-Za-z0-9]{32}',
  nuget: 'oy2[a-z0-9]{43}',
  github:
    '(?:gh[pousr]_[A-Za-z0-9]{36}|github_pat_\\w{22,255}|ghs_\\d{1,20}_[\\w-]{16,1000}\\.[\\w-]{16,9000}\\.[\\w-]{16,1000})',
  gitlab: 'gl(?:dt|rt|cbt|ptt|ft|soat|agent|imt|ffct)-[\\w-]{20,128}',
  bitbucket: 'ATBB[A-Za-z0-9]{24,64}',
  atlassian: 'ATATT3[\\w=+-]{50,256}',
  slack: 'xox[abceoprs](?:\\.xox[bp])?-[A-Za-z0-9-]{10,256}',
  discord: '[MNO][A-Za-z0-9]{23,25}\\.[\\w-]{6}\\.[\\w-]{27,38}',
  telegram: '\\d{8,10}:AA[\\w-]{33}',
  twilio: 'SK[0-9a-f]{32}',
  mailgun: 'key-[0-9a-f]{32}',
  mailchimp: '[0-9a-f]{32}-us\\d{1,2}',
  sendinblue: 'xkeysib-[0-9a-f]{64}-[A-Za-z0-9]{16}',
  postman: 'PMAK-[0-9a-f]{24}-[0-9a-f]{34}',
  stripe: '(?:sk|rk|whsec)_(?:live_|test_|prod_)?[A-Za-z0-9]{24,128}',
  square: '(?:EAAA[\\w-]{60}|sq0[a-z]{3}-[\\w-]{22,43})',
  digitalocean: 'do[opr]_v1_[0-9a-f]{64}',
  heroku: 'HRKU-[\\w-]{36,80}',
  netlify: 'nfp_[A-Za-z0-9]{36}',
  fly: '(?:fo1_[\\w-]{43}|FlyV1 fm[12]_[\\w+/=-]{40,1024})',
  planetscale: 'pscale_(?:tkn|pw|oauth)_[\\w.-]{31,63}[\\w-]',
  supabase: 'sb(?:p|_secret)_[\\w-]{20,64}',
  sentry: 'sntry[us]_[\\w=+/-]{40,512}',
  'new-relic': 'NR(?:AK|JS|II)-[A-Za-z0-9-]{19,64}',
  pulumi: 'pul-[0-9a-f]{40}',
  terraform: '[A-Za-z0-9]{14}\\.atlasv1\\.[\\w=-]{60,80}',
  doppler: 'dp\\.(?:pt|st|ct|sa|scim|audit)\\.[\\w.-]{39,79}[\\w-]',
  airtable: 'pat[A-Za-z0-9]{14}\\.[0-9a-f]{64}',
  hubspot: 'pat-(?:na|eu)\\d-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}',
  mapbox: 'sk\\.eyJ[\\w-]{40,256}\\.[\\w-]{20,64}',
  replicate: 'r8_[A-Za-z0-9]{37}',
  perplexity: 'pplx-[A-Za-z0-9]{40,64}',
  xai: 'xai-[A-Za-z0-9]{60,100}',
  fireworks: 'fw_[A-Za-z0-9]{22,32}',
  'discord-webhook': 'https://(?:\\w{1,10}\\.)?discord(?:app)?\\.com/api/webhooks/\\d{17,20}/[\\w-]{60,80}',
  'teams-webhook': 'https://[\\w-]{1,64}\\.webhook\\.office\\.com/webhookb2/[\\w@/-]{60,256}',
  jwt: 'eyJ[\\w-]{8,4096}\\.eyJ[\\w-]{8,8192}\\.[\\w-]{16,1024}',
};
const NAMES = Object.keys(FORMS);

/**
 * One pattern, so that a text is read once for all of them; the n-th group is the n-th form. A word, and a word with a
 * hyphen, go on: only where one begins may a key begin.
 */
const PATTERN = new RegExp(
  `(?<![\\p{L}\\d_]|[\\p{L}\\d_-]-)(?:${Object.values(FORMS)
    .map((form) => `(${form})`)
    .join('|')})(?![A-Za-z0-9])`,
  'gu',
);

/** Keys of the known vendors, and AgentRelay's own. */
export const vendorKeys: Rule = function* rule(text) {
  for (const match of text.matchAll(PATTERN)) {
    const { 0: key, index } = match;
    const name = NAMES[match.findIndex((group, n) => n > 0 && group !== undefined) - 1];
    if (name !== undefined && !isExampleKey(key)) yield { rule: name, start: index, end: index + key.length };
  }
};

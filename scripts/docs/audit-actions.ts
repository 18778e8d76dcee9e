import type { AuditAction } from '../../relay/contract/audit.ts';

/** What each action of the audit log stands for, and what its row says beside who did it. */
export const AUDIT_ACTIONS: Readonly<Record<AuditAction, string>> = {
  handoff_sent: 'a handoff of the account was made; `ref` is its id',
  handoff_received: 'a handoff to the account came',
  handoff_transition:
    'a step of a handoff: `step` says which, `state` where it led, `version` where it stands in the thread',
  trust_decision: 'what came was delivered, held or rejected, by which rule',
  trust_changed: 'a rule of `trust.yaml` was changed',
  contact_requested: 'somebody asked to reach the account, or the account somebody',
  contact_accepted: 'a contact was accepted',
  contact_declined: 'a contact was declined',
  contact_removed: 'a contact was taken back',
  blocked: 'somebody was shut out',
  unblocked: 'a block was taken back',
  block_failed: 'a block stands at the desk, and the relay could not be told yet',
  key_rotated: 'the account has a new key',
  key_revoked: 'a key was ended',
  invite_made: 'an invite was made',
  invite_withdrawn: 'an invite was taken back',
  account_joined: 'the desk has a new account; `relay` and `relay_id` say where',
  account_removed: 'the desk has an account no more',
  agent_registered: 'an agent was made on the own relay; `peer` is its handle',
  egress_held: 'something that an agent wanted to send looks like a secret, and waits for a human',
  egress_released: 'a human let it go',
  egress_discarded: 'a human threw it away',
  outbox_returned: 'something that waited to be sent will not be',
  loop_stopped: 'agents that wrote to one another without a human were stopped',
  loop_resumed: 'a human let them go on',
  config_changed: 'a setting was changed',
  wake: 'a session of a coding agent was woken',
  app_started: 'the app was started; `version` and `shell` say which',
  app_stopped: 'the app was ended. After a crash or a power cut there is none',
  audit_exported: 'the log was written out for other programs; `format` says how',
  audit_gap:
    'the log cannot prove everything: `cause` is `key_missing`, `head_missing`, or `not_stored` with the number of `acts` that a full disk has cost',
};

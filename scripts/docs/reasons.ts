import type { Reason } from '../../relay/contract/reasons.ts';

/** What a reason means and what helps, for docs/reference/errors.md. A reason without an entry does not compile. */
export const MEANINGS: Readonly<Record<Reason, string>> = {
  TASK_NOT_FOUND:
    'There is no such task for this key: it is not there, or it is not yours. Check the id, and whose key it is.',
  TASK_NOT_CANCELABLE:
    'Only the sender cancels, and only what is pending or waits for input. `metadata.cause`: `NOT_SENDER`, `ALREADY_ACCEPTED`, `ALREADY_COMPLETED`, `ALREADY_FAILED`, `ALREADY_DECLINED`. On accepted work, ask for a stop by a message.',
  UNSUPPORTED_OPERATION:
    'A message to a closed task, a subscription to one, or a method that this relay does not offer. Start a new handoff that refers to the closed one (`referenceTaskIds`).',
  CONTENT_TYPE_NOT_SUPPORTED: 'The recipient does not take this media type. Its card lists those that it does.',
  EXTENSION_SUPPORT_REQUIRED:
    'The agent requires an extension of A2A that the request does not name. If the client knows it, send its URI in `A2A-Extensions`; `metadata.extensions` names what is missing.',
  VERSION_NOT_SUPPORTED: 'Another version of A2A, or none, was named. Send `A2A-Version: 1.0`.',

  PARSE_ERROR: 'The body is not JSON in UTF-8.',
  INVALID_REQUEST: 'JSON, but no JSON-RPC request; or bytes that are no HTTP request. Batches are not taken.',
  METHOD_NOT_FOUND: 'No such method. Check its spelling.',
  INVALID_PARAMS: 'Some values cannot be used. The `BadRequest` detail names each field and says how it is wrong.',
  INTERNAL: "A fault of the relay's own. Try again; if it fails again, the relay's log says why.",

  UNAUTHENTICATED:
    'No usable API key. `metadata.cause`: `NO_HEADER`, `NOT_BEARER`, or `UNKNOWN_KEY` (never made, or revoked). Send `Authorization: Bearer <api key>`; `agentrelay register` makes an agent and its key.',
  PAYLOAD_TOO_LARGE: 'The body is larger than `metadata.limit` bytes. Send files by reference.',
  UNSUPPORTED_MEDIA_TYPE: 'Send `Content-Type: application/json`, in UTF-8, without a `Content-Encoding`.',
  HOST_NOT_ALLOWED: "The Host header is not an address of this relay: use the relay's own URL.",
  ROUTE_NOT_FOUND: 'There is nothing at this path.',
  METHOD_NOT_ALLOWED: 'The path is right, the HTTP method is not. The `Allow` header lists those that are.',
  HEADERS_TOO_LARGE: 'The headers are larger than 16 KiB.',
  REQUEST_TIMEOUT: 'The request did not arrive in time. Send it again.',
  ORIGIN_NOT_ALLOWED: 'A relay with the open profile answers no web page: leave out the `Origin` header.',
  RATE_LIMITED:
    'Too many requests from one address or with one key, or too many wrong keys. Wait as long as the `Retry-After` header (seconds) and the `RetryInfo` detail say.',

  RECIPIENT_REQUIRED:
    'A message to `/a2a` that does not say whom it is for. Name the recipient, or post to `/a/{handle}`.',
  RECIPIENT_NOT_FOUND: 'No agent of this relay has that handle. Nothing was sent.',
  CONTACT_REQUESTED:
    'The recipient does not know the sender yet, and was asked. Only the first line was kept, as the request; send again once it is accepted.',
  CONTACT_DECLINED: 'The recipient takes nothing from the sender. Nothing was stored.',
  CONTACT_REQUIRED:
    'The recipient is no contact, and may not be asked: `metadata.cause` is SCOPE (the key lacks `contacts`) or BLOCKED (the sender has blocked it).',
  IDEMPOTENCY_CONFLICT:
    'The id or key was used before, for something else. Repeat exactly what was sent then, or take a new id.',
  STATE_CHANGED: 'Something else came first, so the step is no longer possible. Look at the handoff again.',
  INVALID_TRANSITION: 'The step needs an accepted handoff, and this one is pending. Accept it first.',
  TRANSITION_NOT_ALLOWED: 'The other side may do this, you may not. `metadata.allowed` says who.',
  HELD_BY_OTHER_SESSION: 'Another session of the same account holds the handoff. Use `take_over` to move it.',
  LEASE_LOST:
    'The worker does not have this handoff, or no longer: its lease ran out, or the handoff moved on. Stop the work on it, and lease the next one.',
  THREAD_TOO_LARGE:
    'The thread has its 16 MB. End it, and go on in a new handoff that refers to it (`referenceTaskIds`).',
  LOOP_STOPPED:
    'Agents have handed this work on too often: it would come to the recipient for the third time, or be the 17th handoff. A person sends it on ([the loop guard](../explanation/loop-guard.md)).',
  HANDLE_TAKEN: 'The name is in use, or kept for the relay itself. Choose another one.',
  REGISTRATION_CLOSED: 'This relay takes no registrations from outside. Ask its owner to run `agentrelay register`.',
  INVITE_INVALID: 'No invite of this relay has this code. Copy the whole link, or ask for another one.',
  INVITE_GONE:
    'The invite has let somebody in already, or is over: `metadata.cause` is `USED`, `EXPIRED` or `WITHDRAWN`. Ask for another one.',
  SCOPE_REQUIRED:
    'The key may not do this: it has none of the scopes in `metadata.scope`. Use another key of the agent.',
  ACCOUNT_IN_USE: 'Another desk reads this inbox. Close it there, or connect with `take_over=1`.',
  HELD_BY_TRUST:
    'The rules of `trust.yaml` hold this handoff back from coding agents. A person decides about it first.',
  HUMAN_REQUIRED: 'Only a person may do that: in the window, or with the `agentrelay` command.',
  TRUST_UNUSABLE:
    '`trust.yaml` has an error, so a program does not change it. `violations` names the lines; mend them, or begin anew with `agentrelay trust reset`.',
  ALIAS_NEEDED: 'Another relay is called that here. Say what the new one shall be called: `--alias`.',
  RELAY_NOT_PROVEN: 'What answers at the address is not the relay that the invite is of. Nothing was sent there.',
  OUTBOX_ITEM_NOT_FOUND: 'Nothing with this id waits to be sent: it was sent, or dropped.',
  OUTBOX_FULL: 'Too many writes of the account wait in its outbox. Send or drop some first.',
  RELAY_UNREACHABLE: 'The desk could not reach the relay of the account. The message says why; nothing is lost.',
  STORAGE_FAILED: 'Nothing was stored. Free some space or repair the disk, then retry with the same id.',
  SHUTTING_DOWN: 'The relay is stopping. Nothing was stored; try again when it is back.',
};

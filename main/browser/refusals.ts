import type { FastifyError, FastifyReply } from 'fastify';
import type { Logger } from 'pino';
import type { DeskError } from '../../relay/contract/desk-api.ts';
import { refusal } from '../answer.ts';

/** Largest body of a request, in bytes: as much as the local socket takes. */
export const MAX_BODY_BYTES = 4 * 1024 * 1024;

/** Answers with an envelope that says no, and why. */
export function refuse(
  reply: FastifyReply,
  status: number,
  reason: DeskError['reason'],
  message: string,
): FastifyReply {
  return reply.code(status).send(refusal(reason, message));
}

/** For an address that there is not. */
export function notFound(reply: FastifyReply): FastifyReply {
  return refuse(reply, 404, 'ROUTE_NOT_FOUND', 'There is nothing at this address.');
}

/** For what Fastify itself refuses (a body that is too large, or no JSON), and for a fault of ours. */
export function refuseError(error: FastifyError, reply: FastifyReply, logger: Logger): FastifyReply {
  switch (error.statusCode) {
    case 413:
      return refuse(reply, 413, 'PAYLOAD_TOO_LARGE', `A request has at most ${MAX_BODY_BYTES} bytes.`);
    case 415:
      return refuse(reply, 415, 'UNSUPPORTED_MEDIA_TYPE', 'The body of a request is application/json.');
    case 400:
      return refuse(reply, 400, 'PARSE_ERROR', 'The body of this request is not JSON.');
    default:
      logger.error({ err: error }, 'the window server failed');
      return refuse(reply, 500, 'INTERNAL', 'AgentRelay failed. Its log file says why.');
  }
}

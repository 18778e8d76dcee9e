import { AgentCard, TaskState } from '@a2a-js/sdk';
import { AgentEvent, DefaultRequestHandler, InMemoryTaskStore, type AgentExecutor } from '@a2a-js/sdk/server';
import { jsonRpcHandler, UserBuilder } from '@a2a-js/sdk/server/express';
import express from 'express';
import { announce } from './server-process.ts';

// The peer: the official SDK's own server, with its in-memory store and an executor that does nothing but make the task.
const executor: AgentExecutor = {
  execute(request, bus) {
    const { taskId, contextId, userMessage } = request;
    const status = { state: TaskState.TASK_STATE_SUBMITTED, message: undefined, timestamp: new Date().toISOString() };
    bus.publish(
      AgentEvent.task({ id: taskId, contextId, status, artifacts: [], history: [userMessage], metadata: undefined }),
    );
    bus.finished();
    return Promise.resolve();
  },
  cancelTask: () => Promise.resolve(),
};
const card = AgentCard.fromJSON({
  name: 'peer',
  description: 'peer',
  version: '1',
  supportedInterfaces: [{ url: 'http://127.0.0.1/', protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
  capabilities: { streaming: true },
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
  skills: [{ id: 'a', name: 'a', description: 'a', tags: ['a'] }],
});
const app = express();
app.use(
  '/a/alice',
  jsonRpcHandler({
    requestHandler: new DefaultRequestHandler(card, new InMemoryTaskStore(), executor),
    userBuilder: UserBuilder.noAuthentication,
  }),
);
const server = app.listen(0, '127.0.0.1', () => {
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  announce({ port, path: '/a/alice', key: 'none', otherKey: 'none' }, () => {
    server.closeAllConnections();
    server.close();
    return Promise.resolve();
  });
});

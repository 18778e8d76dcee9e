import type {
  AgentCard,
  ListTasksResponse,
  SendMessageResponse,
  StreamResponse,
  Task,
  TaskPushNotificationConfig,
} from '../contract/a2a.ts';

/** What an operation comes to, free of dialect and binding: relay/wire writes it down in the form that was asked for. */
export type Answer =
  | { readonly kind: 'sent'; readonly response: SendMessageResponse }
  | { readonly kind: 'task'; readonly task: Task }
  | { readonly kind: 'tasks'; readonly page: ListTasksResponse }
  | { readonly kind: 'pushConfig'; readonly config: TaskPushNotificationConfig }
  | {
      readonly kind: 'pushConfigs';
      readonly configs: readonly TaskPushNotificationConfig[];
      /** Empty on the last page. */
      readonly nextPageToken: string;
    }
  /** With what only agents of the relay are told. */
  | { readonly kind: 'card'; readonly card: AgentCard }
  /** Done, and there is nothing to say. */
  | { readonly kind: 'nothing' }
  | {
      readonly kind: 'handoffs';
      readonly tasks: readonly Task[];
      /** Empty on the last page. */
      readonly nextCursor: string;
      /** Of all pages, where that was asked for. */
      readonly total?: number;
    };

/** One frame of a stream. */
export interface Frame {
  readonly response: StreamResponse;
  /** Whether the stream ends with it. */
  readonly isLast: boolean;
}

/** The frames of a stream, in order. What has to be refused is refused before the first one is asked for. */
export type Frames = AsyncIterable<Frame>;

/** The channels between the window's preload and the main process. */

/** invoke(command, input) → envelope. */
export const DESK_CALL = 'desk:call';
/** send(subscription id, after seq). Ids are the document's own, and end with it. */
export const DESK_SUBSCRIBE = 'desk:subscribe';
/** send(subscription id). */
export const DESK_UNSUBSCRIBE = 'desk:unsubscribe';
/** To the window: (subscription id, desk event). */
export const DESK_EVENT = 'desk:event';

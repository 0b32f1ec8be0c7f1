/** Resolves in a new task, after the events that the browser has queued. */
export const nextTask = () => new Promise<void>((resolve) => setTimeout(resolve));

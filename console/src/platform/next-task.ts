/** Resolves in a task of its own: what the browser has waiting comes first. */
export const nextTask = () => new Promise<void>((resolve) => setTimeout(resolve));

type Socket = Pick<NodeJS.EventEmitter, 'once' | 'off'> & { destroyed: boolean };

/** Returns a signal that is aborted when the client disconnects, and a function that ends watching and aborts it, too. */
function watchCaller(socket: Socket): { gone: AbortSignal; end: () => void } {
  const gone = new AbortController();
  const onClose = () => gone.abort();
  socket.once('close', onClose);
  // A client that has already disconnected emits no further event.
  if (socket.destroyed) gone.abort();
  return {
    gone: gone.signal,
    end: () => {
      socket.off('close', onClose);
      gone.abort();
    },
  };
}

/** Generates values; the signal it passes is aborted when the client disconnects. */
export async function* whileConnected<T>(
  socket: Socket,
  generate: (gone: AbortSignal) => AsyncGenerator<T>,
): AsyncGenerator<T> {
  const { gone, end } = watchCaller(socket);
  try {
    yield* generate(gone);
  } finally {
    end();
  }
}

/** Runs work; the signal it passes is aborted when the client disconnects. */
export async function untilGone<T>(socket: Socket, work: (gone: AbortSignal) => Promise<T>): Promise<T> {
  const { gone, end } = watchCaller(socket);
  try {
    return await work(gone);
  } finally {
    end();
  }
}

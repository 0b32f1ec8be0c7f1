/** Whether a state machine's table allows a transition. A state without outgoing moves is final. */
export function canMove<S extends string>(
  moves: Readonly<Record<S, readonly S[]>>,
  from: NoInfer<S>,
  to: NoInfer<S>,
): boolean {
  return moves[from].includes(to);
}

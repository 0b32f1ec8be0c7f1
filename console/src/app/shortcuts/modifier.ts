const isApple = /Mac|iPhone|iPad/.test(navigator.platform);

/** The label of the modifier key on this user's keyboard. */
export const modifierName = isApple ? '⌘' : 'Ctrl';

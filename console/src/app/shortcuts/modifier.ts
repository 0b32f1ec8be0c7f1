const isApple = /Mac|iPhone|iPad/.test(navigator.platform);

/** The key that goes with K on this reader's keyboard, as it is printed there. */
export const modifierName = isApple ? '⌘' : 'Ctrl';

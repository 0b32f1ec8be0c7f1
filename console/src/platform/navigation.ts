/**
 * Where the platform sends the user after a failed call. The app injects it, because the platform must not
 * import the router.
 */
interface Navigation {
  /** Opens the sign-in page, which returns to the current address. */
  toLogin(): void;
  toForbidden(): void;
}

let navigation: Navigation | undefined;

export function setNavigation(implementation: Navigation): void {
  navigation = implementation;
}

export function goLogin(): void {
  navigation?.toLogin();
}

export function goForbidden(): void {
  navigation?.toForbidden();
}

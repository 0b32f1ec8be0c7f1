/**
 * Where the platform sends the reader when a call fails. The app, which knows the router, says how: imports go from
 * app to platform only.
 */
interface Navigation {
  /** To the sign-in page, with the present address to come back to. */
  toLogin(): void;
  toForbidden(): void;
}

let navigation: Navigation | undefined;

export function setNavigation(given: Navigation): void {
  navigation = given;
}

export function goLogin(): void {
  navigation?.toLogin();
}

export function goForbidden(): void {
  navigation?.toForbidden();
}

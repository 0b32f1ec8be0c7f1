import { ApiError } from './api-error.ts';

type Webauthn = typeof import('@simplewebauthn/browser');
type CreationOptions = Parameters<Webauthn['startRegistration']>[0]['optionsJSON'];
type RequestOptions = Parameters<Webauthn['startAuthentication']>[0]['optionsJSON'];
/** Returns the sentence that a person reads if no passkey came. */
type Message = (canHave: boolean) => string;

/**
 * Whether this page can use passkeys. They are bound to a domain name, so a page opened by IP address can't
 * have any (WebAuthn Level 3, §5.1.3).
 */
export function canHavePasskeys(): boolean {
  const isIpAddress = /^\[|^[\d.]+$/.test(location.hostname);
  return !isIpAddress && isSecureContext && 'PublicKeyCredential' in window;
}

/** The localhost address of this site, where passkeys work on the machine that serves it. */
export function addressForPasskeys(): string {
  const { protocol, port } = location;
  return `${protocol}//localhost${port && `:${port}`}`;
}

/** Has the browser create a passkey. Throws an {@link ApiError}. */
export function createPasskey(
  optionsJSON: CreationOptions,
  message: Message,
): ReturnType<Webauthn['startRegistration']> {
  return withWebauthn(({ startRegistration }) => startRegistration({ optionsJSON }), message);
}

/** Has the browser sign a challenge with a passkey. Throws an {@link ApiError}. */
export function showPasskey(
  optionsJSON: RequestOptions,
  message: Message,
): ReturnType<Webauthn['startAuthentication']> {
  return withWebauthn(({ startAuthentication }) => startAuthentication({ optionsJSON }), message);
}

/**
 * Turns any failure into the same error: browsers do not distinguish a refused passkey from a closed dialog.
 */
async function withWebauthn<T>(work: (webauthn: Webauthn) => Promise<T>, message: Message): Promise<T> {
  const webauthn = await import('@simplewebauthn/browser').catch((cause: unknown) => {
    throw new ApiError({ status: 0, code: 'network', message: '' }, { cause });
  });
  try {
    return await work(webauthn);
  } catch (cause) {
    throw new ApiError(
      { status: 422, code: 'validation_failed', message: message(canHavePasskeys()) },
      { cause },
    );
  }
}

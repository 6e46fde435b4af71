/**
 * Thrown when a URL cannot be reached, or when its answer is a redirect. The message is a sentence that contains the
 * URL.
 */
export class Unreachable extends Error {
  override name = 'Unreachable'
}

/**
 * Phrases for network errors, by the error's code. An error without an entry is described by its own message, such as
 * `certificate has expired`.
 */
const causes: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was cut',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'its host name cannot be looked up now',
  ETIMEDOUT: 'the connection was not answered',
  UND_ERR_CONNECT_TIMEOUT: 'the connection was not answered',
  UND_ERR_SOCKET: 'the connection was cut',
}

/**
 * Sends a request without following redirects, because only the requested URL's own answer counts.
 * @throws Unreachable
 */
export async function reach(
  fetch: typeof globalThis.fetch,
  request: string | Request,
  init: RequestInit = {},
): Promise<Response> {
  const url = typeof request === 'string' ? request : request.url
  let response: Response
  try {
    response = await fetch(request, { ...init, redirect: 'manual' })
  } catch (error) {
    throw new Unreachable(describeFailure(url, error), { cause: error })
  }
  const place = response.headers.get('location')
  // A browser hides the target of the redirect.
  const isRedirect =
    response.type === 'opaqueredirect' || (response.status >= 300 && response.status < 400 && place !== null)
  if (!isRedirect) return response
  await response.body?.cancel().catch(() => {})
  const to = place === null ? 'another URL' : place.slice(0, 200)
  throw new Unreachable(
    `${url} redirects to ${to}; no redirect is followed. Name the service by the URL that answers itself.`,
  )
}

/**
 * Describes in one sentence a request that received no complete answer.
 * @example 'http://127.0.0.1:9/api/health could not be reached: the connection was refused (ECONNREFUSED).'
 */
export function describeFailure(url: string, error: unknown): string {
  if (error instanceof Unreachable) return error.message
  if (!(error instanceof Error)) return `${url} could not be reached.`
  if (error.name === 'TimeoutError') return `${url} gave no whole answer in time.`
  const { code, message }: Cause = causeOf(error) ?? error
  const reason = causes[code ?? ''] ?? message
  return `${url} could not be reached: ${reason}${code ? ` (${code})` : ''}.`
}

type Cause = Error & { code?: string; errors?: unknown }

/**
 * Returns the first error with a code in the chain of causes, beginning with the error itself; null if no error has a
 * code.
 */
function causeOf(error: Cause): Cause | null {
  for (let at: unknown = error, depth = 0; at instanceof Error && depth < 4; at = at.cause, depth += 1) {
    const { code, errors } = at as Cause
    if (typeof code === 'string') return at
    // A host with several addresses fails once for each address.
    if (Array.isArray(errors) && errors[0] instanceof Error) return causeOf(errors[0])
  }
  return null
}

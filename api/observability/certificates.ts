import { connect } from 'node:tls'

/** Time between two looks at certificates that were read, and at others, milliseconds. */
const READ_AGAIN_MS = 6 * 3_600_000
const RETRY_MS = 600_000
const TIMEOUT_MS = 10_000
const DAY_MS = 86_400_000

/** Certificates of the service's public addresses, as they were last read. */
export interface Certificates {
  /** Reads each once more. @returns the pause until the next call, milliseconds: shorter where one could not be read */
  run(stopping: AbortSignal): Promise<number>
  /** Days until each that was read expires; negative once it has. */
  remaining(): { setting: string; days: number }[]
}

/**
 * Reads certificates over TLS, seldom and beside the scrapes. Only `https` URLs have one.
 * @param urls by the setting that has it
 * @example createCertificates({ PUBLIC_BASE_URL: 'https://market.example' })
 */
export function createCertificates(
  urls: Readonly<Record<string, string | undefined>>,
  { timeoutMs = TIMEOUT_MS, now = Date.now }: { timeoutMs?: number; now?: () => number } = {},
): Certificates {
  const watched = Object.entries(urls).flatMap(([setting, url]) =>
    url?.startsWith('https:') ? [{ setting, url: new URL(url) }] : [],
  )
  const expiries = new Map<string, number>()
  return {
    run: async (stopping) => {
      const reads = await Promise.allSettled(
        watched.map(async ({ setting, url }) => {
          const signal = AbortSignal.any([stopping, AbortSignal.timeout(timeoutMs)])
          expiries.set(setting, (await readCertificate(url, signal)).expiry)
        }),
      )
      return reads.every(({ status }) => status === 'fulfilled') ? READ_AGAIN_MS : RETRY_MS
    },
    remaining: () => [...expiries].map(([setting, expiry]) => ({ setting, days: (expiry - now()) / DAY_MS })),
  }
}

/** A certificate, as a client of this machine sees it. */
export interface Certificate {
  /** When it expires, Unix milliseconds. */
  expiry: number
  /** The reason that clients refuse it for; null: they trust it. */
  distrust: string | null
}

/** Reads the certificate of a URL. One that is not trusted, or has expired, is read too. @throws without one */
export function readCertificate({ hostname, port }: URL, signal: AbortSignal): Promise<Certificate> {
  const host = hostname.replace(/^\[|\]$/g, '')
  return new Promise((resolve, reject) => {
    const socket = connect({
      host,
      port: port === '' ? 443 : Number(port),
      servername: /[a-z]/i.test(host) && !host.includes(':') ? host : '',
      // The certificate is all that is read, and nothing is sent.
      rejectUnauthorized: false,
    })
    // Of the whole read: a timeout of the socket begins anew with each byte.
    const cancel = () => socket.destroy(new Error('no certificate in time'))
    if (signal.aborted) cancel()
    signal.addEventListener('abort', cancel, { once: true })
    socket.once('error', reject)
    socket.once('close', () => signal.removeEventListener('abort', cancel))
    socket.once('secureConnect', () => {
      const expiry = Date.parse(socket.getPeerCertificate().valid_to)
      // Node's types have an Error here, and its values are texts.
      const distrust = socket.authorized ? null : String(socket.authorizationError)
      socket.destroy()
      if (Number.isNaN(expiry)) reject(new Error('the certificate has no end'))
      else resolve({ expiry, distrust })
    })
  })
}

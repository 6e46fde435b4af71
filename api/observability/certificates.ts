import { connect } from 'node:tls'

/** The milliseconds between a successful reading of a certificate and the next reading. */
const READ_AGAIN_MS = 6 * 3_600_000
/** The milliseconds between a failed reading of a certificate and the next reading. */
const RETRY_MS = 600_000
const TIMEOUT_MS = 10_000
const DAY_MS = 86_400_000

/** The most recently read TLS certificates of the service's public addresses. */
export interface Certificates {
  /**
   * Reads all certificates once.
   * @returns the pause in milliseconds until the next call; the pause is shorter after a failed reading
   */
  run(stopping: AbortSignal): Promise<number>
  /**
   * Returns one entry for each certificate that was read. `days`: the days until the certificate expires, negative
   * after the expiry. `setting`: the name of the setting with the server's URL, for example `PUBLIC_BASE_URL`.
   */
  remaining(): { setting: string; days: number }[]
}

/**
 * Creates the reader of certificates. Certificates are read rarely, independently of metric scrapes. URLs without
 * `https` are ignored.
 * @param urls the URLs; each key is the name of the setting that contains the URL
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

/** A certificate, as a client on this machine receives it. */
export interface Certificate {
  /** The time at which the certificate expires, in Unix milliseconds. */
  expiry: number
  /** The reason why clients refuse the certificate. Null if they trust it. */
  distrust: string | null
}

/**
 * Reads the certificate of a URL. Untrusted and expired certificates are read too.
 * @throws when no certificate could be read
 */
export function readCertificate({ hostname, port }: URL, signal: AbortSignal): Promise<Certificate> {
  const host = hostname.replace(/^\[|\]$/g, '')
  return new Promise((resolve, reject) => {
    const socket = connect({
      host,
      port: port === '' ? 443 : Number(port),
      servername: /[a-z]/i.test(host) && !host.includes(':') ? host : '',
      // Only the certificate is read, and nothing is sent.
      rejectUnauthorized: false,
    })
    // A limit of the whole read; the socket's timeout restarts with each byte.
    const cancel = () => socket.destroy(new Error('no certificate in time'))
    if (signal.aborted) cancel()
    signal.addEventListener('abort', cancel, { once: true })
    socket.once('error', reject)
    socket.once('close', () => signal.removeEventListener('abort', cancel))
    socket.once('secureConnect', () => {
      const expiry = Date.parse(socket.getPeerCertificate().valid_to)
      // Node's types declare an Error here, but its values are texts.
      const distrust = socket.authorized ? null : String(socket.authorizationError)
      socket.destroy()
      if (Number.isNaN(expiry)) reject(new Error('the certificate has no end'))
      else resolve({ expiry, distrust })
    })
  })
}

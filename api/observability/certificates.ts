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
          expiries.set(setting, await readExpiry(url, AbortSignal.any([stopping, AbortSignal.timeout(timeoutMs)])))
        }),
      )
      return reads.every(({ status }) => status === 'fulfilled') ? READ_AGAIN_MS : RETRY_MS
    },
    remaining: () => [...expiries].map(([setting, expiry]) => ({ setting, days: (expiry - now()) / DAY_MS })),
  }
}

/** When the certificate of a URL expires, Unix milliseconds. One that is not trusted, or has expired, is read too. */
function readExpiry({ hostname, port }: URL, signal: AbortSignal): Promise<number> {
  const host = hostname.replace(/^\[|\]$/g, '')
  return new Promise((resolve, reject) => {
    const socket = connect({
      host,
      port: port === '' ? 443 : Number(port),
      servername: /[a-z]/i.test(host) && !host.includes(':') ? host : '',
      // Its date is all that is read, and nothing is sent.
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
      socket.destroy()
      if (Number.isNaN(expiry)) reject(new Error('the certificate has no end'))
      else resolve(expiry)
    })
  })
}

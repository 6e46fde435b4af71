import { type Certificate, readCertificate } from '../../api/observability/certificates.ts'
import { defineCheck, type Observation } from './check.ts'
import { describeFailure } from './describe-failure.ts'

type Name = 'unreachable' | 'untrusted' | 'expired' | 'expiring' | 'plain'

/** The minimum number of days until a TLS certificate expires. A certificate with fewer remaining days is reported. */
const LEAST_DAYS = 14
const CONNECT_MS = 5_000
const DAY_MS = 86_400_000

/** The doctor check for the TLS certificates of the service's public URLs. */
export const certificatesCheck = defineCheck<Name>({
  name: 'certificates',
  looksAt: 'the certificate at PUBLIC_BASE_URL, ARTIFACT_BASE_URL and WEB_URL, as clients see it from this machine',
  faults: {
    unreachable: {
      result: 'wrong',
      meaning: '... gives no certificate',
      remedy: 'Look at the name in it, at the DNS, and at the proxy that ends TLS.',
    },
    untrusted: {
      result: 'wrong',
      meaning: '... has a certificate that clients refuse',
      remedy: 'Give the proxy the certificate of this name, with the whole chain.',
    },
    expired: {
      result: 'wrong',
      meaning: '... has an expired certificate',
      remedy: 'Renew the certificate, and load it in the proxy.',
    },
    expiring: {
      result: 'warning',
      meaning: `... has a certificate that ends within ${LEAST_DAYS} days`,
      remedy: 'Renew the certificate, and find out why it was not renewed by itself.',
    },
    plain: {
      result: 'warning',
      meaning: '... is http: passwords, private texts and payments are readable on their way',
      remedy: 'Put a proxy with TLS before the service, and name its https address.',
    },
    no_answer: {
      result: 'wrong',
      meaning: 'the public addresses gave no answer',
      remedy: 'Look at the DNS, and at the proxy that ends TLS.',
    },
  },
  find: async ({ config, programs, readDeployment }) => {
    const urls = [
      ['PUBLIC_BASE_URL', config?.PUBLIC_BASE_URL],
      ['ARTIFACT_BASE_URL', config?.ARTIFACT_BASE_URL],
      ['WEB_URL', programs.web.values.WEB_URL],
    ] as const
    const isLocal = (await readDeployment().catch(() => null))?.local === true
    const observations = await Promise.all(
      urls.map(async ([of, url]) => (url === undefined ? [] : await checkUrl(of, new URL(url), isLocal))),
    )
    return observations.flat().length === 0 ? [{ unchecked: 'no public address is set here' }] : observations.flat()
  },
})

async function checkUrl(of: string, url: URL, isLocal: boolean): Promise<Observation<Name>[]> {
  if (url.protocol === 'http:')
    return isLocal ? [{ ok: `${of}: http, of a chain of this machine` }] : [{ fault: 'plain', of, detail: url.origin }]
  try {
    return judgeCertificate(of, await readCertificate(url, AbortSignal.timeout(CONNECT_MS)), Date.now())
  } catch (error) {
    return [{ fault: 'unreachable', of, detail: `${url.host}: ${describeFailure(error)}` }]
  }
}

/**
 * Checks whether a certificate is trusted, and whether it expires soon. The parameter `of` is the name of the setting
 * that contains the server's address.
 * @param now the current time, in Unix milliseconds
 */
export function judgeCertificate(of: string, { distrust, expiry }: Certificate, now: number): Observation<Name>[] {
  const days = Math.floor((expiry - now) / DAY_MS)
  const until = new Date(expiry).toISOString().slice(0, 10)
  if (expiry <= now) return [{ fault: 'expired', of, detail: `it ended on ${until}` }]
  if (distrust !== null) return [{ fault: 'untrusted', of, detail: distrust }]
  if (days < LEAST_DAYS) return [{ fault: 'expiring', of, detail: `it ends on ${until}` }]
  return [{ ok: `${of}: a certificate until ${until}, ${days} days` }]
}

import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto'
import type { Hex } from 'viem'
import {
  createDigestSigner,
  publicKeyOf,
  type SignerAnswer,
  type SignerRequest,
  type SignerServer,
  serveSigner,
} from './signer-server.ts'

export const googleKeyVersion =
  'projects/market/locations/europe-west1/keyRings/relayers/cryptoKeys/relayer-1/cryptoKeyVersions/1'
const TOKEN = 'ya29.token-of-the-stand-in'
const EMAIL = 'relayer@market.iam.gserviceaccount.com'
const SECONDS_OF_TOKEN = 3_599

/** A stand-in for Google KMS, its source of tokens and the metadata server of a machine. */
export interface GoogleServer extends SignerServer {
  /** Content of a file of GOOGLE_APPLICATION_CREDENTIALS. */
  account: string
}

/** Serves one version of a key. */
export async function serveGoogleKms(privateKey: Hex, algorithm = 'EC_SIGN_SECP256K1_SHA256'): Promise<GoogleServer> {
  const sign = createDigestSigner(privateKey)
  const { publicKey, privateKey: accountKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
  const server: SignerServer = await serveSigner((request) => {
    if (request.path === '/token') return exchange(request, { publicKey, audience: `${server.url}/token` })
    if (request.path === '/computeMetadata/v1/instance/service-accounts/default/token') {
      return request.headers['metadata-flavor'] === 'Google' ? token() : refuse(403, 'PERMISSION_DENIED')
    }
    if (request.headers.authorization !== `Bearer ${TOKEN}`) return refuse(401, 'UNAUTHENTICATED')
    if (request.method === 'GET' && request.path === `/v1/${googleKeyVersion}/publicKey`) {
      return accept({ pem: publicKeyOf(privateKey).export({ type: 'spki', format: 'pem' }), algorithm })
    }
    if (request.method !== 'POST' || request.path !== `/v1/${googleKeyVersion}:asymmetricSign`) {
      return refuse(404, 'NOT_FOUND')
    }
    const { digest } = JSON.parse(request.body)
    const bytes = Buffer.from(digest?.sha256 ?? '', 'base64')
    if (bytes.length !== 32 || bytes.toString('base64') !== digest.sha256) return refuse(400, 'INVALID_ARGUMENT')
    const signature = Buffer.from(sign(bytes).signature.toDERRawBytes()).toString('base64')
    return accept({ signature, name: googleKeyVersion, protectionLevel: 'HSM' })
  })
  const account = {
    type: 'service_account',
    client_email: EMAIL,
    private_key_id: 'key-1',
    private_key: accountKey,
    token_uri: `${server.url}/token`,
  }
  return Object.assign(server, { account: JSON.stringify(account) })
}

/** Checks an assertion (RFC 7523) with the public key of the service account. */
function exchange(request: SignerRequest, { publicKey, audience }: { publicKey: string; audience: string }) {
  const form = new URLSearchParams(request.body)
  const [header = '', claims = '', signature = ''] = (form.get('assertion') ?? '').split('.')
  const isGrant = form.get('grant_type') === 'urn:ietf:params:oauth:grant-type:jwt-bearer'
  const key = createPublicKey(publicKey)
  const isSigned = verify('sha256', Buffer.from(`${header}.${claims}`), key, Buffer.from(signature, 'base64url'))
  if (!isGrant || !isSigned) return refuse(400, 'invalid_grant')
  const { iss, aud, scope, iat, exp } = JSON.parse(Buffer.from(claims, 'base64url').toString())
  const { alg, kid } = JSON.parse(Buffer.from(header, 'base64url').toString())
  const isOfAccount = iss === EMAIL && aud === audience && alg === 'RS256' && kid === 'key-1'
  const isNow = iat <= Date.now() / 1000 && exp > Date.now() / 1000 && exp - iat <= 3600
  if (!isOfAccount || !isNow || scope !== 'https://www.googleapis.com/auth/cloudkms')
    return refuse(400, 'invalid_grant')
  return token()
}

function token(): SignerAnswer {
  return accept({ access_token: TOKEN, expires_in: SECONDS_OF_TOKEN, token_type: 'Bearer' })
}

function accept(content: object): SignerAnswer {
  return { status: 200, body: JSON.stringify(content) }
}

function refuse(status: number, name: string): SignerAnswer {
  return { status, body: JSON.stringify({ error: { code: status, status: name, message: 'refused' } }) }
}

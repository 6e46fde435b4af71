import { readFileSync } from 'node:fs'
import type { CloudEnvironment } from '../../../settings/cloud-environment.ts'
import { exchangeHttp, parseAnswer, textOf } from './exchange-http.ts'
import { SignerUnavailable } from './relayer.ts'

export interface AwsCredentials {
  accessKeyId: string
  secretAccessKey: string
  sessionToken?: string
}

/** Returns valid credentials. @throws SignerUnavailable */
export type FindAwsCredentials = (signal: AbortSignal) => Promise<AwsCredentials>

/** The margin in milliseconds: the service renews credentials this long before the credentials expire. */
const RENEWAL_MARGIN_MS = 300_000
const containerHost = 'http://169.254.170.2'
const instanceHost = 'http://169.254.169.254'

/**
 * Creates the source of AWS credentials. First choice: an access key in the environment. Second choice: the endpoint of
 * the container (ECS, EKS Pod Identity). Last choice: the metadata of the instance (IMDSv2). Credentials are cached
 * until five minutes before their expiry.
 * @param now returns Unix milliseconds
 */
export function createAwsCredentials(environment: CloudEnvironment, now = Date.now): FindAwsCredentials {
  const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN } = environment
  if (AWS_ACCESS_KEY_ID !== undefined && AWS_SECRET_ACCESS_KEY !== undefined) {
    const credentials = {
      accessKeyId: AWS_ACCESS_KEY_ID,
      secretAccessKey: AWS_SECRET_ACCESS_KEY,
      ...(AWS_SESSION_TOKEN !== undefined && { sessionToken: AWS_SESSION_TOKEN }),
    }
    return async () => credentials
  }
  let held: { credentials: AwsCredentials; until: number } | null = null
  return async (signal) => {
    if (held !== null && now() < held.until) return held.credentials
    const text = await (isInContainer(environment) ? askContainer : askInstance)(environment, signal)
    const answer = parseAnswer(SERVER, text)
    const credentials = {
      accessKeyId: textOf(SERVER, answer, 'AccessKeyId'),
      secretAccessKey: textOf(SERVER, answer, 'SecretAccessKey'),
      sessionToken: textOf(SERVER, answer, 'Token'),
    }
    held = { credentials, until: Date.parse(textOf(SERVER, answer, 'Expiration')) - RENEWAL_MARGIN_MS }
    return credentials
  }
}

const SERVER = 'the source of AWS credentials'

function isInContainer(environment: CloudEnvironment): boolean {
  const { AWS_CONTAINER_CREDENTIALS_RELATIVE_URI: relativeUri, AWS_CONTAINER_CREDENTIALS_FULL_URI: fullUri } =
    environment
  return relativeUri !== undefined || fullUri !== undefined
}

async function askContainer(environment: CloudEnvironment, signal: AbortSignal): Promise<string> {
  const { AWS_CONTAINER_CREDENTIALS_RELATIVE_URI: relativeUri, AWS_CONTAINER_CREDENTIALS_FULL_URI: fullUri } =
    environment
  const token = readContainerToken(environment)
  return await exchangeHttp(
    {
      server: SERVER,
      url: relativeUri === undefined ? String(fullUri) : `${containerHost}${relativeUri}`,
      headers: token === undefined ? {} : { Authorization: token },
    },
    signal,
  )
}

/**
 * Returns the authorization token of the container. The file of the token is read each time, because EKS replaces the
 * token.
 */
function readContainerToken(environment: CloudEnvironment): string | undefined {
  const { AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: file, AWS_CONTAINER_AUTHORIZATION_TOKEN: token } = environment
  if (file === undefined) return token
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (cause) {
    throw new SignerUnavailable(`AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE cannot be read`, { cause })
  }
}

async function askInstance(environment: CloudEnvironment, signal: AbortSignal): Promise<string> {
  const base = `${environment.AWS_EC2_METADATA_SERVICE_ENDPOINT?.replace(/\/+$/, '') ?? instanceHost}/latest`
  const lifetime = { 'X-aws-ec2-metadata-token-ttl-seconds': '21600' }
  const token = await exchangeHttp(
    { server: SERVER, url: `${base}/api/token`, method: 'PUT', headers: lifetime },
    signal,
  )
  const headers = { 'X-aws-ec2-metadata-token': token }
  const roles = `${base}/meta-data/iam/security-credentials/`
  const role = (await exchangeHttp({ server: SERVER, url: roles, headers }, signal)).split('\n')[0] ?? ''
  return await exchangeHttp({ server: SERVER, url: roles + role.trim(), headers }, signal)
}

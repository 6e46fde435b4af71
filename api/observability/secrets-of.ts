import type { Config } from '../config.ts'

/**
 * The least length in characters from which a part of a URL counts as a secret. Shorter parts (`v1`, `postgres`) are
 * ordinary words.
 */
const SHORTEST_SECRET = 9

/** Returns the setting values that no log line may contain: keys, secrets, and the secret parts of URLs. */
export function secretsOf(
  config: Pick<
    Config,
    | 'DATABASE_URL'
    | 'READER_DATABASE_URL'
    | 'RELAYER_KEYS'
    | 'RELAYER_SIGNERS'
    | 'cloud'
    | 'URL_SIGNING_SECRET'
    | 'DEVICE_KEY_SECRET'
    | 'RPC_URLS'
    | 'S3_ACCESS_KEY_ID'
    | 'S3_SECRET_ACCESS_KEY'
    | 'OPERATOR_WEBHOOK_URL'
    | 'OPERATOR_WEBHOOK_SECRET'
  > & {
    READ_DATABASE_URLS?: Config['READ_DATABASE_URLS'] | undefined
    OTEL_EXPORTER_OTLP_HEADERS?: Config['OTEL_EXPORTER_OTLP_HEADERS'] | undefined
  },
): string[] {
  const keys = config.RELAYER_KEYS.map((key) => key.slice(2))
  const signers = config.RELAYER_SIGNERS.flatMap((place) =>
    place.kind === 'web3signer' && place.authorization !== null ? passwordsOf(place.authorization) : [],
  )
  const { AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN, AWS_CONTAINER_AUTHORIZATION_TOKEN } = config.cloud
  const cloud = [AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN, AWS_CONTAINER_AUTHORIZATION_TOKEN].map((each) => each ?? '')
  const parts = [
    config.DATABASE_URL,
    config.READER_DATABASE_URL ?? '',
    ...(config.READ_DATABASE_URLS ?? []),
    config.OPERATOR_WEBHOOK_URL ?? '',
    ...config.RPC_URLS,
  ].flatMap(secretPartsOf)
  const storage = [config.S3_ACCESS_KEY_ID ?? '', config.S3_SECRET_ACCESS_KEY ?? '']
  const secrets = [
    ...keys,
    ...signers,
    ...cloud,
    config.URL_SIGNING_SECRET,
    ...config.DEVICE_KEY_SECRET,
    ...parts,
    ...storage,
    config.OPERATOR_WEBHOOK_SECRET ?? '',
    ...Object.values(config.OTEL_EXPORTER_OTLP_HEADERS ?? {}),
  ]
  return [...new Set(secrets)].filter((secret) => secret !== '')
}

/** Returns the secrets in an `Authorization: Basic` header: the encoded credentials, and the decoded password. */
function passwordsOf(authorization: string): string[] {
  const credentials = authorization.replace('Basic ', '')
  const user = Buffer.from(credentials, 'base64').toString()
  return [credentials, user.slice(user.indexOf(':') + 1)]
}

/**
 * Returns the secret parts of a URL: the password, the path segments and the query values. Each part is returned twice:
 * as it is in the URL, and percent-decoded. The host is not secret, nor is the name of a database.
 */
export function secretPartsOf(text: string): string[] {
  if (!URL.canParse(text)) return []
  const { password, pathname, searchParams, protocol } = new URL(text)
  const isDatabase = protocol.startsWith('postgres')
  const parts = [password, ...(isDatabase ? [] : pathname.split('/')), ...searchParams.values()]
  return parts.filter((part) => part.length >= SHORTEST_SECRET).flatMap((part) => [part, decoded(part)])
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

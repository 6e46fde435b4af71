/**
 * Variables by which clouds give a program its identity. They are theirs, not settings of ours: AWS and Google set them on their
 * machines, and their own tools read them alike.
 */
const cloudNames = [
  'AWS_ACCESS_KEY_ID',
  'AWS_SECRET_ACCESS_KEY',
  'AWS_SESSION_TOKEN',
  'AWS_CONTAINER_CREDENTIALS_RELATIVE_URI',
  'AWS_CONTAINER_CREDENTIALS_FULL_URI',
  'AWS_CONTAINER_AUTHORIZATION_TOKEN',
  'AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE',
  'AWS_EC2_METADATA_SERVICE_ENDPOINT',
  'GOOGLE_APPLICATION_CREDENTIALS',
  'GCE_METADATA_HOST',
] as const

/** Those that are set. */
export type CloudEnvironment = Partial<Record<(typeof cloudNames)[number], string>>

/** Reads the variables of clouds that the environment has. */
export function readCloudEnvironment(environment: Readonly<Record<string, string | undefined>>): CloudEnvironment {
  return Object.fromEntries(cloudNames.flatMap((name) => (environment[name] ? [[name, environment[name]]] : [])))
}

/**
 * Environment variables with which AWS and Google identify a program. The clouds set these variables on their machines,
 * and the clouds' own tools read them. Therefore the variables are not settings of this project.
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

/** The values of the variables in `cloudNames`, without those that are not set. */
export type CloudEnvironment = Partial<Record<(typeof cloudNames)[number], string>>

/**
 * Reads the cloud variables from an environment. Leaves out variables that are empty.
 *
 * Example: `{ GCE_METADATA_HOST: '10.0.0.1', HOME: '/root' }` gives `{ GCE_METADATA_HOST: '10.0.0.1' }`.
 */
export function readCloudEnvironment(environment: Readonly<Record<string, string | undefined>>): CloudEnvironment {
  return Object.fromEntries(cloudNames.flatMap((name) => (environment[name] ? [[name, environment[name]]] : [])))
}

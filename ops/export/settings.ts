import { z } from 'zod'
import { type ExportFormat, exportFormats } from '../../api/exports/manifest.ts'
import { nodeUrls } from '../../api/nodes/node-urls.ts'
import { type Destination, openBucket, openDirectory } from './destination.ts'

/** Variables of the environment that `npm run export` reads. */
export const exportVariables = z.object({
  /** The analysts' standby, on the login `market_exporter`. */
  EXPORTER_DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/, error: 'must be a postgres URL' }),
  /** One node or several, in the order of preference. */
  RPC_URL: nodeUrls,
  /** The S3-compatible service, with the names that the service's own settings have; needed with `--to s3://...`. */
  S3_ENDPOINT: z.url({ protocol: /^https?$/, error: 'must be an http or https URL' }).optional(),
  S3_REGION: z.string().min(1).optional(),
  S3_ACCESS_KEY_ID: z.string().min(1).optional(),
  S3_SECRET_ACCESS_KEY: z.string().min(1).optional(),
})

const PLACE = /^s3:\/\/([a-zA-Z0-9][\w.-]{1,254})(?:\/((?:[\w-][\w.-]*\/)*[\w-][\w.-]*)?\/?)?$/

export interface ExportSettings {
  databaseUrl: string
  rpcUrls: readonly string[]
  destination: Destination
  format: ExportFormat
}

/**
 * The settings of an export from its arguments and environment variables. @throws one error that lists every problem
 * Example: `readExportSettings({ format: 'parquet', to: 's3://open-data/market' }, process.env)`.
 */
export function readExportSettings(
  { format, to }: { format: string | undefined; to: string | undefined },
  environment: NodeJS.ProcessEnv,
): ExportSettings {
  const parsed = exportVariables.safeParse(environment)
  const problems = parsed.error?.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`) ?? []
  const knownFormat = exportFormats.find((each) => each === format)
  if (knownFormat === undefined) problems.push(`--format: must be ${exportFormats.join(', ')}`)
  const destination =
    to === undefined ? '--to: must be a directory, or s3://<bucket>/<prefix>' : openPlace(to, parsed.data ?? {})
  if (typeof destination === 'string') problems.push(destination)
  if (problems.length > 0 || typeof destination === 'string' || knownFormat === undefined || !parsed.success) {
    throw new Error(['The export cannot start:', ...problems.map((problem) => `  ${problem}`)].join('\n'))
  }
  const { EXPORTER_DATABASE_URL: databaseUrl, RPC_URL: rpcUrls } = parsed.data
  return { databaseUrl, rpcUrls, destination, format: knownFormat }
}

/** @returns the problem with the place, where there is one */
function openPlace(to: string, set: Partial<z.output<typeof exportVariables>>): Destination | string {
  if (!to.startsWith('s3:')) return openDirectory(to)
  const [, bucket, prefix = ''] = PLACE.exec(to) ?? []
  if (bucket === undefined) return '--to: must be s3://<bucket>/<prefix>, of letters, digits, dots, dashes and slashes'
  const { S3_ENDPOINT, S3_REGION, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } = set
  if (
    S3_ENDPOINT === undefined ||
    S3_REGION === undefined ||
    S3_ACCESS_KEY_ID === undefined ||
    S3_SECRET_ACCESS_KEY === undefined
  ) {
    return '--to s3://: needs S3_ENDPOINT, S3_REGION, S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY'
  }
  return openBucket(
    {
      endpoint: S3_ENDPOINT,
      region: S3_REGION,
      bucket,
      accessKeyId: S3_ACCESS_KEY_ID,
      secretAccessKey: S3_SECRET_ACCESS_KEY,
    },
    prefix === '' ? '' : `${prefix}/`,
  )
}

import { type ExportFormat, exportFormats } from '../../api/exports/manifest.ts'
import { readSettings } from '../../settings/read-settings.ts'
import type { SettingsOf } from '../../settings/table.ts'
import { type Destination, openBucket, openDirectory } from './destination.ts'

const PLACE = /^s3:\/\/([a-zA-Z0-9][\w.-]{1,254})(?:\/((?:[\w-][\w.-]*\/)*[\w-][\w.-]*)?\/?)?$/

export interface ExportSettings {
  databaseUrl: string
  rpcUrls: readonly string[]
  destination: Destination
  format: ExportFormat
}

/**
 * Reads the settings of an export from the command's arguments and the environment variables.
 * @throws SettingsError with every problem
 * @example readExportSettings({ format: 'parquet', to: 's3://open-data/market' }, process.env)
 */
export function readExportSettings(
  { format, to }: { format: string | undefined; to: string | undefined },
  environment: NodeJS.ProcessEnv,
): ExportSettings {
  const knownFormat = exportFormats.find((each) => each === format)
  const exportSettings = readSettings('export', environment, (settings) => {
    const place = openPlace(to, settings)
    return [
      ...(knownFormat === undefined ? [{ setting: '--format', problem: `must be ${exportFormats.join(', ')}` }] : []),
      ...(typeof place === 'string' ? [{ setting: '--to', problem: place }] : []),
    ]
  })
  return {
    databaseUrl: exportSettings.EXPORTER_DATABASE_URL,
    rpcUrls: exportSettings.RPC_URL,
    destination: openPlace(to, exportSettings) as Destination,
    format: knownFormat as ExportFormat,
  }
}

/**
 * Opens the destination that `--to` names.
 * @returns the destination, or the problem as text if the argument or its settings are wrong
 */
function openPlace(to: string | undefined, exportSettings: Partial<SettingsOf<'export'>>): Destination | string {
  if (to === undefined) return 'must be a directory, or s3:// with bucket and prefix'
  if (!to.startsWith('s3:')) return openDirectory(to)
  const [, bucket, prefix = ''] = PLACE.exec(to) ?? []
  if (bucket === undefined) {
    return 'must be s3:// with bucket and prefix, of letters, digits, dots, dashes and slashes'
  }
  const { S3_ENDPOINT, S3_REGION, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } = exportSettings
  if (
    S3_ENDPOINT === undefined ||
    S3_REGION === undefined ||
    S3_ACCESS_KEY_ID === undefined ||
    S3_SECRET_ACCESS_KEY === undefined
  ) {
    return 's3:// needs S3_ENDPOINT, S3_REGION, S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY'
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

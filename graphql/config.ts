import { readSettings } from '../settings/read-settings.ts'
import type { SettingsOf } from '../settings/table.ts'

export type GraphqlSettings = SettingsOf<'graphql'>

/** Reads the settings of the GraphQL process. @throws SettingsError that lists all invalid settings */
export function readGraphqlSettings(env: Record<string, string | undefined>): GraphqlSettings {
  return readSettings('graphql', env)
}

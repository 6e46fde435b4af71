import type { Config } from '../config.ts'

/**
 * Returns the beginning of a feedback file's URI; the id of the rating follows. Example:
 * `https://market.example/api/feedback/`.
 */
export function feedbackBaseOf({ PUBLIC_BASE_URL }: Pick<Config, 'PUBLIC_BASE_URL'>): string {
  return `${PUBLIC_BASE_URL}/api/feedback/`
}

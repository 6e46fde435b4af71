import type { Config } from '../config.ts'

/** Returns the first part of the URI of a feedback file. Example: `https://market.example/api/feedback/`. */
export function feedbackBaseOf({ PUBLIC_BASE_URL }: Pick<Config, 'PUBLIC_BASE_URL'>): string {
  return `${PUBLIC_BASE_URL}/api/feedback/`
}

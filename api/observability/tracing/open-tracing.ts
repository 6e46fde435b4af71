import type { Config } from '../../config.ts'
import { noTracing, type Tracing } from './tracing.ts'

/** Creates the configured tracing. If no collector is configured, no code of OpenTelemetry is loaded. */
export async function openTracing(config: Config): Promise<Tracing> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT } = config
  if (OTEL_EXPORTER_OTLP_ENDPOINT === undefined) return noTracing
  const { createOtlpTracing } = await import('./otlp-tracing.ts')
  return createOtlpTracing({ ...config, OTEL_EXPORTER_OTLP_ENDPOINT })
}

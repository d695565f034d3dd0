export function adminJson(status: number, body: unknown): Response {
  return Response.json(body, { status });
}

/** A refusal by the admin listener: `{"erro": …}`, with a Portuguese message that says how to correct the request. */
export function adminErro(status: number, erro: string): Response {
  return adminJson(status, { erro });
}

/** A `Content-Security-Policy` that allows only the given sources. */
export function contentPolicy(...allowed: readonly string[]): string {
  const others = ["base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"];
  return ["default-src 'none'", ...allowed, ...others].join('; ');
}

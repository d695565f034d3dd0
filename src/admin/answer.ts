/** A JSON answer of the admin listener. */
export function adminJson(status: number, body: unknown): Response {
  return Response.json(body, { status });
}

/** A refusal of the admin listener: `{"erro": …}`, the message in Portuguese with the mend. */
export function adminErro(status: number, erro: string): Response {
  return adminJson(status, { erro });
}

/** A `Content-Security-Policy` that allows only what is named. */
export function contentPolicy(...allowed: readonly string[]): string {
  const others = ["base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"];
  return ["default-src 'none'", ...allowed, ...others].join('; ');
}

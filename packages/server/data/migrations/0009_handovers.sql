CREATE TABLE "vault_connections" (
	"token" text PRIMARY KEY NOT NULL,
	"session_id" text NOT NULL,
	"page" text NOT NULL,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "vault_handovers" (
	"id" text PRIMARY KEY NOT NULL,
	"frame" text NOT NULL,
	"window" text,
	"state" text NOT NULL,
	"question" text NOT NULL,
	"answer" text,
	"created_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL
);
--> statement-breakpoint
ALTER TABLE "vault_connections" ADD CONSTRAINT "vault_connections_session_id_vault_sessions_id_fk" FOREIGN KEY ("session_id") REFERENCES "public"."vault_sessions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "vault_connections_session" ON "vault_connections" USING btree ("session_id");--> statement-breakpoint
CREATE INDEX "vault_handovers_expires" ON "vault_handovers" USING btree ("expires_at");
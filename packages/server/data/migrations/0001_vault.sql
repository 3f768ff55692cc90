CREATE TABLE "vault_accounts" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"provider_id" text NOT NULL,
	"user_id" text NOT NULL,
	"access_token" text,
	"refresh_token" text,
	"id_token" text,
	"access_token_expires_at" timestamp with time zone,
	"refresh_token_expires_at" timestamp with time zone,
	"scope" text,
	"password" text,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "vault_audit" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "vault_audit_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"user_id" text NOT NULL,
	"at" bigint NOT NULL,
	"event" text NOT NULL,
	"about" text
);
--> statement-breakpoint
CREATE TABLE "vault_devices" (
	"user_id" text NOT NULL,
	"id" text NOT NULL,
	"name" text NOT NULL,
	"public_key" text,
	"browser" text NOT NULL,
	"server_half" text,
	"created_at" bigint NOT NULL,
	"last_used_at" bigint NOT NULL,
	"revoked_at" bigint,
	CONSTRAINT "vault_devices_user_id_id_pk" PRIMARY KEY("user_id","id")
);
--> statement-breakpoint
CREATE TABLE "vault_limits" (
	"key" text PRIMARY KEY NOT NULL,
	"count" integer NOT NULL,
	"ends_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "vault_passkeys" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"name" text NOT NULL,
	"public_key" text NOT NULL,
	"counter" bigint NOT NULL,
	"transports" text[] DEFAULT '{}' NOT NULL,
	"created_at" bigint NOT NULL,
	"last_used_at" bigint
);
--> statement-breakpoint
CREATE TABLE "vault_pending" (
	"flow" text NOT NULL,
	"kind" text NOT NULL,
	"secret" text NOT NULL,
	"data" jsonb NOT NULL,
	"tries_left" integer NOT NULL,
	"sent_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL,
	CONSTRAINT "vault_pending_flow_kind_pk" PRIMARY KEY("flow","kind")
);
--> statement-breakpoint
CREATE TABLE "vault_records" (
	"user_id" text PRIMARY KEY NOT NULL,
	"record" text NOT NULL,
	"version" integer NOT NULL,
	"updated_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "vault_sessions" (
	"id" text PRIMARY KEY NOT NULL,
	"token" text NOT NULL,
	"user_id" text NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"ip_address" text,
	"user_agent" text,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	"browser" text NOT NULL,
	CONSTRAINT "vault_sessions_token_unique" UNIQUE("token")
);
--> statement-breakpoint
CREATE TABLE "vault_transfers" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"browser" text NOT NULL,
	"name" text NOT NULL,
	"commitment" text NOT NULL,
	"offer" text,
	"reveal" text,
	"sealed" text,
	"created_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "vault_users" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"email" text NOT NULL,
	"email_verified" boolean DEFAULT false NOT NULL,
	"image" text,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "vault_users_email_unique" UNIQUE("email")
);
--> statement-breakpoint
CREATE TABLE "vault_verifications" (
	"id" text PRIMARY KEY NOT NULL,
	"identifier" text NOT NULL,
	"value" text NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "vault_accounts" ADD CONSTRAINT "vault_accounts_user_id_vault_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."vault_users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "vault_audit" ADD CONSTRAINT "vault_audit_user_id_vault_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."vault_users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "vault_devices" ADD CONSTRAINT "vault_devices_user_id_vault_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."vault_users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "vault_passkeys" ADD CONSTRAINT "vault_passkeys_user_id_vault_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."vault_users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "vault_records" ADD CONSTRAINT "vault_records_user_id_vault_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."vault_users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "vault_sessions" ADD CONSTRAINT "vault_sessions_user_id_vault_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."vault_users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "vault_transfers" ADD CONSTRAINT "vault_transfers_user_id_vault_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."vault_users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "vault_accounts_user" ON "vault_accounts" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "vault_accounts_key" ON "vault_accounts" USING btree ("provider_id","account_id");--> statement-breakpoint
CREATE INDEX "vault_audit_user" ON "vault_audit" USING btree ("user_id","at");--> statement-breakpoint
CREATE INDEX "vault_devices_browser" ON "vault_devices" USING btree ("browser");--> statement-breakpoint
CREATE INDEX "vault_passkeys_user" ON "vault_passkeys" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "vault_pending_secret" ON "vault_pending" USING btree ("kind","secret");--> statement-breakpoint
CREATE INDEX "vault_pending_expires" ON "vault_pending" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "vault_sessions_user" ON "vault_sessions" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "vault_transfers_user" ON "vault_transfers" USING btree ("user_id");